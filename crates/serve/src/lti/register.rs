//! A platform registers itself (LTI Dynamic Registration): it tells its addresses, and is told ours.

use super::platforms::{NewPlatform, site};
use super::services::SCOPES;
use crate::app::App;
use copytrace_messages::Language;
use serde::Deserialize;
use serde_json::{Value, json};
use ureq::http::Request;

/// What the messages of ours are about, for platforms.
const TOOL: &str = "https://purl.imsglobal.org/spec/lti-tool-configuration";

/// How a platform describes itself.
#[derive(Debug, Deserialize)]
struct Description {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    registration_endpoint: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-platform-configuration", default)]
    platform: Value,
}

#[derive(Debug, Deserialize)]
struct Registered {
    client_id: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-tool-configuration", default)]
    tool: Value,
}

/// What this service tells of itself, where browsers reach it at `base`.
fn ours(base: &str, name: &str) -> Value {
    let launch = format!("{base}/lti/launch");
    let domain = base.split_once("://").map_or(base, |(_, domain)| domain);
    let title = Language::all().map(|language| (format!("client_name#{}", language.code()), json!(name)));
    let mut told = json!({
        "application_type": "web", "response_types": ["id_token"], "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": format!("{base}/lti/login"), "redirect_uris": [launch], "client_name": name,
        "jwks_uri": format!("{base}/lti/keys"), "token_endpoint_auth_method": "private_key_jwt", "scope": SCOPES.join(" "),
        TOOL: {
            "domain": domain, "target_link_uri": launch, "claims": ["iss", "sub", "name"], "custom_parameters": {},
            "messages": [{ "type": "LtiResourceLinkRequest" }, { "type": "LtiDeepLinkingRequest", "target_link_uri": launch, "label": name }]
        }
    });
    title.for_each(|(key, value)| told[key] = value);
    told
}

/// Registers this service with the platform whose description stands at an address, and gives what is to be kept of that platform.
///
/// # Errors
/// When it does not answer as it should: why.
pub fn register(
    app: &App,
    base: &str,
    address: &str,
    token: &str,
    unit: i64,
    takes_new: bool,
) -> Result<NewPlatform, String> {
    let ask = |request: Result<Request<Vec<u8>>, ureq::http::Error>| {
        let answer = app.lti.roads.ask(&app.webhook_hosts, request.map_err(|error| error.to_string())?)?;
        match answer.status().is_success() {
            true => Ok(answer.into_body()),
            false => Err(answer.status().to_string()),
        }
    };
    let description = ask(Request::get(address).header("accept", "application/json").body(Vec::new()))?;
    let description: Description =
        serde_json::from_slice(&description).map_err(|error| format!("{address}: {error}"))?;
    // A description at one place that speaks for another would let that other's people in.
    let frame = site(address).ok_or("no address")?;
    if site(&description.issuer).as_ref() != Some(&frame) {
        return Err(format!("{address}: the description of another"));
    }
    let product = description.platform["product_family_code"].as_str().unwrap_or("LTI").to_owned();
    let name =
        if app.institution.is_empty() { "copytrace".to_owned() } else { format!("copytrace · {}", app.institution) };
    let mut request = Request::post(&description.registration_endpoint).header("content-type", "application/json");
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let told = ask(request.header("accept", "application/json").body(ours(base, &name).to_string().into_bytes()))?;
    let told: Registered = serde_json::from_slice(&told).map_err(|error| format!("the registration: {error}"))?;
    Ok(NewPlatform {
        name: format!("{product} {}", frame.split_once("://").map_or("", |(_, host)| host)),
        issuer: description.issuer,
        client: told.client_id,
        deployments: told.tool["deployment_id"].as_str().unwrap_or_default().to_owned(),
        authorization_url: description.authorization_endpoint,
        token_url: description.token_endpoint,
        keys_url: description.jwks_uri,
        frame,
        unit,
        takes_new,
    })
}
