//! The OpenAPI 3.1 description of the programming interface, made of the table of routes and of the types that are sent.

use crate::fault::REFUSALS;
use crate::http::route::{Answer, Described, Route, Schemas, Takes};
use crate::people::Role;
use axum::http::Method;
use serde_json::{Map, Value, json};

const PREFIX: &str = "/api/v1";

/// The description of those routes that belong to the interface.
pub fn document(routes: &[Route]) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Schemas::new());
    for route in routes {
        if let Some(described) = &route.described {
            let entry = paths.entry(route.path).or_insert_with(|| json!({}));
            entry[route.method.as_str().to_ascii_lowercase()] = operation(route, described, &mut schemas);
        }
    }
    let codes: Vec<String> = REFUSALS.iter().map(|refusal| format!("urn:copytrace:{}", refusal.code)).collect();
    let text = json!({ "type": "string" });
    schemas.insert("Problem".to_owned(), json!({
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": { "type": "string", "examples": codes }, "title": text, "status": { "type": "integer" }, "detail": text,
        },
    }));
    json!({
        "openapi": "3.1.0",
        "info": { "title": "copytrace serve", "version": "1", "description":
            "Submissions are handed in, checked, and their reports fetched. Ids are 32 hexadecimal digits; times are seconds since 1970 \
             (UTC); ratios are 0 to 1. A POST with an Idempotency-Key is done once and answered alike for a day." },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": { "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } }, "schemas": schemas },
    })
}

fn operation(route: &Route, described: &Described, schemas: &mut Schemas) -> Value {
    let name = |part: &'static str| part.strip_prefix('{')?.strip_suffix('}');
    let in_path = |name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
    let mut parameters: Vec<Value> = route.path.split('/').filter_map(name).map(in_path).collect();
    let pages = ["/submissions", "/people", "/collections/{id}"];
    if route.method == Method::GET && pages.iter().any(|end| route.path.ends_with(end)) {
        parameters.push(json!({
            "name": "after", "in": "query", "schema": { "type": "string" }, "description": "`next` of the page before",
        }));
    }
    if route.method == Method::GET && route.path.ends_with("/people") {
        let holds = "what the number or the name holds";
        parameters.push(json!({ "name": "q", "in": "query", "schema": { "type": "string" }, "description": holds }));
    }
    if route.method == Method::GET && route.path.ends_with("/submissions") {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": 1000 });
        parameters.push(json!({ "name": "limit", "in": "query", "schema": limit }));
    }
    if route.method == Method::POST {
        let key = json!({ "type": "string", "minLength": 1, "maxLength": 200 });
        parameters.push(json!({ "name": "Idempotency-Key", "in": "header", "schema": key }));
    }
    let roles: Vec<Role> = Role::ALL.iter().copied().filter(|role| route.is_for(*role)).collect();
    let method = route.method.as_str().to_ascii_lowercase();
    let content = match described.answer {
        Answer::Nothing => json!({}),
        Answer::Bytes("application/json") => json!({ "application/json": { "schema": { "type": "object" } } }),
        Answer::Bytes(kind) => json!({ kind: { "schema": { "type": "string" } } }),
        Answer::Json(schema) => json!({ "application/json": { "schema": schema(schemas) } }),
    };
    let mut operation = json!({
        "summary": route.about,
        "operationId": format!("{method}{}", route.path[PREFIX.len()..].replace(['/', '{', '}', '.'], "_")),
        "parameters": parameters,
        "x-roles": roles,
        "x-scope": route.scope,
        "responses": {
            (described.status.to_string()): { "description": "done", "content": content },
            "4XX": problem("it cannot be done for a reason that is told"),
            "503": problem("the server is busy"),
            "507": problem("the disk is nearly full"),
        },
    });
    if route.is_for_everybody() {
        operation["security"] = json!([]);
    }
    if route.takes != Takes::Nothing {
        operation["requestBody"] = body(route, described, schemas);
    }
    operation
}

fn problem(description: &str) -> Value {
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    json!({ "description": description, "content": { "application/problem+json": { "schema": schema } } })
}

/// What an operation takes: JSON, or a form with a file.
fn body(route: &Route, described: &Described, schemas: &mut Schemas) -> Value {
    let named = described.fields.map(|fields| fields(schemas));
    let mut fields = match named.as_ref().and_then(|named| named["$ref"].as_str()?.rsplit('/').next()) {
        Some(name) => schemas.get(name).cloned().unwrap_or_default(),
        None => json!({ "type": "object" }),
    };
    if route.takes == Takes::Fields {
        let required = fields["required"].is_array();
        return json!({ "required": required, "content": { "application/json": { "schema": named } } });
    }
    fields["properties"]["file"] = json!({ "type": "string", "format": "binary" });
    let mut required = vec![json!("file")];
    required.extend(fields["required"].as_array().into_iter().flatten().cloned());
    fields["required"] = json!(required);
    json!({ "required": true, "content": { "multipart/form-data": { "schema": fields } } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::routes::ROUTES;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_operation_of_the_interface_is_described_and_every_reference_leads_to_a_schema() {
        let document = document(ROUTES);
        for route in ROUTES.iter().filter(|route| route.path.starts_with(PREFIX)) {
            let operation = &document["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
            assert!(operation["summary"].is_string(), "{} {}", route.method, route.path);
        }
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 40, "{found:?}");
        for reference in found {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
        let of = |path: &str| document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"].clone();
        assert_ne!(of("/api/v1/rounds"), of("/api/v1/collections"), "lists of different things have different schemas");
    }
}
