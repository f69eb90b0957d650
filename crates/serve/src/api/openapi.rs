//! The OpenAPI 3.1 description of the programming interface, made of the table of routes.

use crate::fault::REFUSALS;
use crate::http::routes::{ROUTES, Roles, Route, Takes};
use crate::people::Role;
use crate::rounds::LAST_SECOND;
use serde_json::{Map, Value, json};

const PREFIX: &str = "/api/v1";

/// The description.
pub fn document() -> Value {
    let mut paths = Map::new();
    for route in ROUTES.iter().filter(|route| route.path.starts_with(PREFIX)) {
        let entry = paths.entry(route.path).or_insert_with(|| json!({}));
        entry[route.method.as_str().to_ascii_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "copytrace serve", "version": "1", "description":
            "Submissions are handed in, checked, and their reports fetched. Ids are 32 hexadecimal digits; times are seconds since 1970 \
             (UTC); ratios are 0 to 1. A POST with an Idempotency-Key is done once and answered alike for a day." },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas(),
        },
    })
}

fn operation(route: &Route) -> Value {
    let parts = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = parts
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    if route.method.as_str() == "GET" && route.path.ends_with("/submissions") {
        parameters.push(json!({ "name": "after", "in": "query", "schema": { "type": "string" }, "description": "`next` of the page before" }));
        parameters.push(
            json!({ "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1, "maximum": 1000 } }),
        );
    }
    if route.method.as_str() == "POST" {
        parameters.push(json!({ "name": "Idempotency-Key", "in": "header", "schema": { "type": "string", "minLength": 1, "maxLength": 200 } }));
    }
    let roles: Vec<&str> = Role::ALL
        .into_iter()
        .filter(|role| route.roles == Roles::EVERYBODY || route.roles.holds(*role))
        .map(Role::as_str)
        .collect();
    let (status, content) = reply(route);
    let mut operation = json!({
        "summary": route.about,
        "operationId": format!("{}{}", route.method.as_str().to_ascii_lowercase(), route.path[PREFIX.len()..].replace(['/', '{', '}', '.'], "_")),
        "parameters": parameters,
        "x-roles": roles,
        "x-scope": route.scope,
        "responses": {
            status: { "description": "done", "content": content },
            "4XX": problem("it cannot be done for a reason that is told"),
            "503": problem("the server is busy"),
            "507": problem("the disk is nearly full"),
        },
    });
    if route.roles == Roles::EVERYBODY {
        operation["security"] = json!([]);
    }
    if let Some(body) = body(route) {
        operation["requestBody"] = body;
    }
    operation
}

fn problem(description: &str) -> Value {
    json!({ "description": description, "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } })
}

fn body(route: &Route) -> Option<Value> {
    let (kind, schema) = match (route.takes, route.path) {
        (Takes::Nothing, _) => return None,
        (Takes::Fields, "/api/v1/rounds") => ("application/json", json!({ "$ref": "#/components/schemas/NewRound" })),
        (Takes::Fields, path) if path.ends_with("/deposit") => (
            "application/json",
            json!({ "type": "object", "required": ["collection"], "properties": { "collection": integer(1, i64::MAX) } }),
        ),
        (Takes::Fields, _) => (
            "application/json",
            json!({ "type": "object", "properties": { "view": { "type": "string", "enum": ["staff", "student"] } } }),
        ),
        (Takes::Archive, _) => (
            "multipart/form-data",
            json!({ "type": "object", "additionalProperties": false, "required": ["file", "kind"], "properties": {
                "file": { "type": "string", "format": "binary", "description": "a zip archive" },
                "kind": { "type": "string", "enum": ["draft", "final"] } } }),
        ),
        (_, path) if path.ends_with("/submissions") => {
            ("multipart/form-data", json!({ "$ref": "#/components/schemas/NewSubmission" }))
        }
        (_, _) => (
            "multipart/form-data",
            json!({ "type": "object", "additionalProperties": false, "required": ["file"], "properties": { "file": { "type": "string", "format": "binary" } } }),
        ),
    };
    let mut content = Map::new();
    content.insert(kind.to_owned(), json!({ "schema": schema }));
    Some(json!({ "required": !route.path.ends_with("/viewer"), "content": content }))
}

fn reply(route: &Route) -> (&'static str, Value) {
    let json_of = |schema: Value| json!({ "application/json": { "schema": schema } });
    let object = || json_of(json!({ "type": "object" }));
    match (route.method.as_str(), route.path) {
        ("DELETE", _) => ("204", json!({})),
        ("GET", path) if path.ends_with(".pdf") => {
            ("200", json!({ "application/pdf": { "schema": { "type": "string", "format": "binary" } } }))
        }
        ("POST", "/api/v1/batches/{id}") => ("202", object()),
        ("GET", path) if path.ends_with(".html") => ("200", json!({ "text/html": { "schema": { "type": "string" } } })),
        ("GET", "/api/v1/submissions/{id}") => ("200", json_of(json!({ "$ref": "#/components/schemas/Submission" }))),
        ("GET", path)
            if path.ends_with("/submissions") || path.ends_with("/rounds") || path.ends_with("/collections") =>
        {
            (
                "200",
                json_of(
                    json!({ "type": "object", "required": ["items", "next"], "properties": { "items": { "type": "array" }, "next": { "type": ["string", "null"] } } }),
                ),
            )
        }
        ("POST", path) if path.ends_with("/deposit") => ("202", object()),
        ("POST", path) if !path.ends_with("/cancel") => ("201", object()),
        _ => ("200", object()),
    }
}

fn integer(least: i64, most: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": least, "maximum": most })
}

fn schemas() -> Value {
    let codes: Vec<String> = REFUSALS.iter().map(|refusal| format!("urn:copytrace:{}", refusal.code)).collect();
    let ratio = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    json!({
        "Problem": { "type": "object", "required": ["type", "title", "status", "detail"], "properties": {
            "type": { "type": "string", "examples": codes }, "title": { "type": "string" }, "status": { "type": "integer" }, "detail": { "type": "string" } } },
        "NewSubmission": { "type": "object", "additionalProperties": false, "required": ["file", "kind"], "properties": {
            "file": { "type": "string", "format": "binary" }, "kind": { "type": "string", "enum": ["self", "draft", "final"] },
            "student": { "type": "string", "description": "the student's number, when staff hand in" } } },
        "NewRound": { "type": "object", "additionalProperties": false,
            "required": ["unit", "title", "opens", "closes", "quota", "limit_ratio", "student_sees", "collections"],
            "properties": {
                "unit": integer(1, i64::MAX), "title": { "type": "string", "minLength": 1, "maxLength": 300 },
                "opens": integer(0, LAST_SECOND), "closes": integer(0, LAST_SECOND), "quota": integer(0, 1000),
                "interval_s": integer(0, 366 * 86_400), "self_checks": integer(0, 1000), "limit_ratio": ratio,
                "student_sees": { "type": "string", "enum": ["never", "ratio", "after_verdict", "at_once"] }, "anonymous": { "type": "boolean" },
                "among": { "type": "boolean" }, "keep_days": { "type": ["integer", "null"], "minimum": 1, "maximum": 36_600 }, "previous": { "type": ["string", "null"] },
                "collections": { "type": "array", "minItems": 1, "items": integer(1, i64::MAX) } } },
        "Submission": { "type": "object", "required": ["id", "round", "kind", "attempt", "received", "status"], "properties": {
            "id": { "type": "string" }, "round": { "type": "string" }, "student": { "type": "string" }, "kind": { "type": "string" },
            "attempt": { "type": "integer" }, "file_name": { "type": ["string", "null"] }, "sha256": { "type": ["string", "null"] },
            "bytes": { "type": "integer" }, "received": { "type": "integer" }, "verdict": { "type": ["string", "null"] },
            "status": { "type": ["object", "null"], "properties": { "state": { "type": "string", "enum": ["queued", "running", "done", "failed", "cancelled"] } } },
            "figures": { "type": ["object", "null"], "properties": { "copy_ratio": ratio, "decided_ratio": ratio } } } },
    })
}
