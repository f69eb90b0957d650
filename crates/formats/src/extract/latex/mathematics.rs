//! Formulas as a reader sees them: their letters, numbers, signs and words in the order of the source.

/// Commands and the signs that they stand for.
const SIGNS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ϵ"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "ϑ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "ϕ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("cdot", "·"),
    ("times", "×"),
    ("pm", "±"),
    ("leq", "≤"),
    ("le", "≤"),
    ("geq", "≥"),
    ("ge", "≥"),
    ("neq", "≠"),
    ("ne", "≠"),
    ("approx", "≈"),
    ("equiv", "≡"),
    ("sim", "∼"),
    ("in", "∈"),
    ("subset", "⊂"),
    ("subseteq", "⊆"),
    ("cup", "∪"),
    ("cap", "∩"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("leftarrow", "←"),
    ("Rightarrow", "⇒"),
    ("mapsto", "↦"),
    ("infty", "∞"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("sum", "∑"),
    ("prod", "∏"),
    ("int", "∫"),
    ("forall", "∀"),
    ("exists", "∃"),
    ("ldots", "…"),
    ("cdots", "⋯"),
    ("dots", "…"),
    ("langle", "⟨"),
    ("rangle", "⟩"),
    ("ell", "ℓ"),
    ("circ", "∘"),
    ("otimes", "⊗"),
    ("oplus", "⊕"),
    ("wedge", "∧"),
    ("vee", "∨"),
    ("sqrt", "√"),
    ("prime", "′"),
    ("dagger", "†"),
    ("hbar", "ℏ"),
    ("lVert", "‖"),
    ("rVert", "‖"),
    ("Vert", "‖"),
    ("mid", "|"),
];

/// Functions, whose names are printed.
const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "log", "ln", "exp", "lim", "max", "min", "sup", "inf", "det", "dim", "ker", "arg", "deg",
    "gcd", "cosh", "sinh", "tanh", "arcsin", "arccos", "arctan", "Pr", "mod", "bmod",
];

/// Commands whose argument is nothing that is printed.
const SILENT: &[&str] =
    &["label", "begin", "end", "hspace", "vspace", "ref", "eqref", "tag", "color", "phantom", "hphantom", "vphantom"];

/// The text of a formula.
pub(super) fn text(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\\' => {
                let length = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
                let (name, following) = after.split_at(length);
                if name.is_empty() {
                    // `\\`, `\,`, `\{` and the like.
                    let sign = after.chars().next();
                    match sign {
                        Some('\\' | ',' | ';' | ':' | ' ' | '!') | None => blank(&mut out),
                        Some(sign) => out.push(sign),
                    }
                    &after[sign.map_or(0, char::len_utf8)..]
                } else if SILENT.contains(&name) {
                    let following = following.trim_start_matches('*').trim_start();
                    match following.strip_prefix('{') {
                        Some(inside) => inside.split_once('}').map_or("", |(_, after)| after),
                        None => following,
                    }
                } else {
                    if let Some((_, sign)) = SIGNS.iter().find(|(known, _)| *known == name) {
                        out.push_str(sign);
                    } else if FUNCTIONS.contains(&name) {
                        blank(&mut out);
                        out.push_str(name);
                        blank(&mut out);
                    } else if matches!(name, "quad" | "qquad" | "frac" | "dfrac" | "tfrac") {
                        blank(&mut out);
                    }
                    following
                }
            }
            '%' => after.split_once('\n').map_or("", |(_, after)| after),
            '{' | '}' | '$' | '^' | '_' => after,
            '&' | '~' => {
                blank(&mut out);
                after
            }
            c if c.is_whitespace() => {
                blank(&mut out);
                after
            }
            c => {
                out.push(c);
                after
            }
        };
    }
    out.trim_end().to_owned()
}

fn blank(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_read_as_their_signs_in_order() {
        for (source, expected) in [
            ("x^2 + y_{i}", "x2 + yi"),
            ("\\frac{\\alpha}{2} \\leq \\sin x", "α2 ≤ sin x"),
            ("f(x) = \\text{if so, } 1 \\\\ \\label{eq:one} \\mathbf{v}", "f(x) = if so, 1 v"),
            ("50\\% % no\n a\\{b\\}", "50% a{b}"),
            ("中\\", "中"),
        ] {
            assert_eq!(text(source), expected, "{source}");
        }
    }
}
