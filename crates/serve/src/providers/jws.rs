//! Tokens that a provider signs (JWS in compact form, RFC 7515), checked with the keys that it publishes (RFC 7517).
//!
//! The cryptography is that of ring, which the encrypted connections need anyhow. A library for tokens would bring RSA a second time, in a
//! version with an open advisory, and some forty crates. What remains is here: which algorithm goes with which kind of key.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{self as ring_signature, EcdsaVerificationAlgorithm, RsaParameters, UnparsedPublicKey};
use ring_signature::{ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, RsaPublicKeyComponents};
use ring_signature::{
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The claims of a token.
pub type Claims = Map<String, Value>;

/// Bytes of a token: one with the groups of a person has some thousand.
const LONGEST: usize = 64 << 10;
/// Keys that are looked at of those that a provider publishes.
const MOST_KEYS: usize = 64;

/// How signatures are made.
enum Method {
    Rsa(&'static RsaParameters),
    /// Of a curve, with the bytes of a coordinate.
    Curve(&'static str, usize, &'static EcdsaVerificationAlgorithm),
}

/// What signatures may be made by. Those with a shared secret (HS256) and none at all are not among them: whoever knows the public key could make
/// those.
static METHODS: [(&str, Method); 8] = [
    ("RS256", Method::Rsa(&RSA_PKCS1_2048_8192_SHA256)),
    ("RS384", Method::Rsa(&RSA_PKCS1_2048_8192_SHA384)),
    ("RS512", Method::Rsa(&RSA_PKCS1_2048_8192_SHA512)),
    ("PS256", Method::Rsa(&RSA_PSS_2048_8192_SHA256)),
    ("PS384", Method::Rsa(&RSA_PSS_2048_8192_SHA384)),
    ("PS512", Method::Rsa(&RSA_PSS_2048_8192_SHA512)),
    ("ES256", Method::Curve("P-256", 32, &ECDSA_P256_SHA256_FIXED)),
    ("ES384", Method::Curve("P-384", 48, &ECDSA_P384_SHA384_FIXED)),
];

/// A key as a provider publishes it.
#[derive(Debug, Clone, Deserialize)]
struct Published {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    n: Option<String>,
    e: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// The keys that a provider publishes.
#[derive(Debug, Clone)]
pub struct Keys(Vec<Published>);

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// Why a token is not to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Untrue {
    /// It is no signed token.
    #[error("it is no signed token")]
    Form,
    /// Its algorithm is not accepted.
    #[error("its algorithm is not accepted")]
    Algorithm,
    /// The provider publishes no such key.
    #[error("the provider publishes no such key")]
    Key,
    /// Its signature is wrong.
    #[error("its signature is wrong")]
    Signature,
}

impl Keys {
    /// The keys of a document; those of kinds that are not known are passed over. None if it is no document of keys.
    pub fn of(document: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Document {
            keys: Vec<Value>,
        }
        let document: Document = serde_json::from_slice(document).ok()?;
        let read = document.keys.into_iter().take(MOST_KEYS).filter_map(|key| serde_json::from_value(key).ok());
        Some(Keys(read.collect()))
    }

    /// The claims of a token that one of these keys signed.
    ///
    /// # Errors
    /// When none did.
    pub fn claims(&self, token: &str) -> Result<Claims, Untrue> {
        let parts: Vec<&str> = token.split('.').collect();
        let [head, body, signature] = parts[..] else { return Err(Untrue::Form) };
        if token.len() > LONGEST {
            return Err(Untrue::Form);
        }
        let header: Header = serde_json::from_slice(&decoded(head)?).map_err(|_| Untrue::Form)?;
        // What a header says to be critical must be understood; nothing is.
        if header.crit.is_some() {
            return Err(Untrue::Form);
        }
        let method = METHODS.iter().find(|(name, _)| *name == header.alg).map(|(_, method)| method);
        let method = method.ok_or(Untrue::Algorithm)?;
        let signature = decoded(signature)?;
        let message = &token.as_bytes()[..head.len() + 1 + body.len()];
        let mut fitting = self.0.iter().filter(|key| key.is_for(&header)).peekable();
        fitting.peek().ok_or(Untrue::Key)?;
        if !fitting.any(|key| key.has_signed(method, message, &signature).is_some()) {
            return Err(Untrue::Signature);
        }
        serde_json::from_slice(&decoded(body)?).map_err(|_| Untrue::Form)
    }
}

impl Published {
    /// Whether a token with this header may be signed by it.
    fn is_for(&self, header: &Header) -> bool {
        self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && self.alg.as_ref().is_none_or(|alg| *alg == header.alg)
            && header.kid.as_ref().is_none_or(|kid| self.kid.as_ref() == Some(kid))
    }

    /// Something if it has made a signature by this method.
    fn has_signed(&self, method: &Method, message: &[u8], signature: &[u8]) -> Option<()> {
        let bytes = |field: &Option<String>| decoded(field.as_deref()?).ok();
        match method {
            Method::Rsa(parameters) if self.kty == "RSA" => {
                let key = RsaPublicKeyComponents { n: bytes(&self.n)?, e: bytes(&self.e)? };
                key.verify(parameters, message, signature).ok()
            }
            Method::Curve(curve, length, algorithm) if self.kty == "EC" && self.crv.as_deref() == Some(curve) => {
                let (x, y) = (bytes(&self.x)?, bytes(&self.y)?);
                let point = [&[4], &x[..], &y].concat();
                let key = UnparsedPublicKey::new(*algorithm, point);
                (x.len() == *length).then(|| key.verify(message, signature).ok()).flatten()
            }
            _ => None,
        }
    }
}

fn decoded(part: &str) -> Result<Vec<u8>, Untrue> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| Untrue::Form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::rand::SystemRandom;
    use ring_signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
    use serde_json::json;

    fn written(value: &Value) -> String {
        URL_SAFE_NO_PAD.encode(value.to_string())
    }

    /// A key of the curve P-256, published under a name, and a token that it signed.
    struct Signer {
        pair: EcdsaKeyPair,
        kid: &'static str,
    }

    impl Signer {
        fn new(kid: &'static str) -> Self {
            let document =
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
            let signing = &ECDSA_P256_SHA256_FIXED_SIGNING;
            Signer { pair: EcdsaKeyPair::from_pkcs8(signing, document.as_ref(), &SystemRandom::new()).unwrap(), kid }
        }

        fn published(&self) -> Value {
            let point = self.pair.public_key().as_ref();
            let [x, y] = [&point[1..33], &point[33..]].map(|part| URL_SAFE_NO_PAD.encode(part));
            json!({ "kty": "EC", "crv": "P-256", "kid": self.kid, "use": "sig", "x": x, "y": y })
        }

        fn token(&self, header: &Value, claims: &Value) -> String {
            let message = format!("{}.{}", written(header), written(claims));
            let signature = self.pair.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
            format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
        }
    }

    #[test]
    fn a_token_is_believed_only_as_it_was_signed_by_a_key_that_is_published_for_it() {
        let (one, other) = (Signer::new("one"), Signer::new("other"));
        let keys = |published: Value| Keys::of(json!({ "keys": published }).to_string().as_bytes()).unwrap();
        let known = keys(json!([{ "kty": "OKP", "crv": "X" }, 7, one.published()]));
        let claims = json!({ "sub": "s1" });
        let header = |alg: &str, kid: Value| json!({ "alg": alg, "kid": kid });
        let token = one.token(&header("ES256", json!("one")), &claims);
        assert_eq!(known.claims(&token).map(Value::Object), Ok(claims.clone()));
        assert!(known.claims(&one.token(&json!({ "alg": "ES256" }), &claims)).is_ok(), "no key is named");
        let parts: Vec<&str> = token.split('.').collect();
        let of = |parts: [&str; 3]| parts.join(".");
        let unsigned = format!("{}.{}.", written(&json!({ "alg": "none" })), parts[1]);
        let changed = of([parts[0], &written(&json!({ "sub": "s2" })), parts[2]]);
        let table = [
            ("none", unsigned, Untrue::Algorithm),
            ("a shared secret", one.token(&header("HS256", json!("one")), &claims), Untrue::Algorithm),
            ("a method of another kind of key", one.token(&header("RS256", json!("one")), &claims), Untrue::Signature),
            ("another length", one.token(&header("ES384", json!("one")), &claims), Untrue::Signature),
            ("a key that is not published", other.token(&header("ES256", json!("other")), &claims), Untrue::Key),
            (
                "another's key by this one's name",
                other.token(&header("ES256", json!("one")), &claims),
                Untrue::Signature,
            ),
            ("other claims", changed, Untrue::Signature),
            ("no signature", of([parts[0], parts[1], ""]), Untrue::Signature),
            ("what is critical", one.token(&json!({ "alg": "ES256", "crit": ["b64"] }), &claims), Untrue::Form),
            ("two parts", format!("{}.{}", parts[0], parts[1]), Untrue::Form),
            ("a fourth part", format!("{token}.x"), Untrue::Form),
            ("nothing", String::new(), Untrue::Form),
            ("padding", of([parts[0], parts[1], &format!("{}==", parts[2])]), Untrue::Form),
            (
                "a long one",
                one.token(&header("ES256", json!("one")), &json!({ "x": "x".repeat(LONGEST) })),
                Untrue::Form,
            ),
        ];
        for (what, token, untrue) in table {
            assert_eq!(known.claims(&token), Err(untrue), "{what}");
        }
        for (name, value) in [("use", "enc"), ("alg", "ES384")] {
            let mut published = one.published();
            published[name] = json!(value);
            assert_eq!(keys(json!([published])).claims(&token), Err(Untrue::Key), "a key with {name} {value}");
        }
        assert!(Keys::of(b"<html>").is_none());
    }
}
