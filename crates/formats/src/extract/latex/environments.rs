//! Environments, as they begin and end.

use super::LatexReader;
use super::commands::{float, is_formula, mark_of, skipped};
use crate::extract::ExtractError;
use copytrace_text::layout::{LeftOut, MarkKind};

impl LatexReader {
    /// Takes the rest of an open environment for code, if it ends behind what is shown here of a document's frame: none of it can stand
    /// in an environment (TeX says so of each), so this one is a listing, whatever its name. Gives what follows.
    pub(super) fn listing<'s>(&mut self, shown: &str, after: &'s str) -> Option<&'s str> {
        let end = format!("\\end{{{}}}", self.open.last()?);
        let code = self.search.before_command(after, &end)?;
        self.builder.open(MarkKind::Code);
        self.push(shown);
        self.push(code.trim_end_matches('\n'));
        self.builder.close(MarkKind::Code);
        self.builder.end_paragraph();
        Some(&after[code.len()..])
    }

    pub(super) fn begin<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        self.builder.end_paragraph();
        let end = format!("\\end{{{name}}}");
        let reason = self.definitions.comments.iter().any(|comment| comment == name).then_some(LeftOut::Comment);
        if let Some(reason) = reason.or_else(|| skipped(name)) {
            let (inside, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            if reason == LeftOut::Formula {
                self.drawing(inside);
            } else {
                self.builder.left_out(reason, inside);
            }
            return Ok(after);
        }
        if is_formula(name) {
            let (formula, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            if !name.ends_with('*') && !matches!(name, "math" | "displaymath") {
                self.numbering.formula(name, formula);
            }
            self.formula(formula);
            self.builder.end_paragraph();
            return Ok(after);
        }
        if matches!(name, "verbatim" | "lstlisting" | "minted") {
            let (text, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            self.builder.open(MarkKind::Code);
            let text = if name == "minted" {
                self.search.without_arguments(text, 1)
            } else {
                self.search.without_options(text)
            };
            self.push(text.trim_matches('\n'));
            self.builder.close(MarkKind::Code);
            self.builder.end_paragraph();
            return Ok(after);
        }
        if name == "lrbox" {
            let (inside, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            let Some((name, text)) = self.search.argument(inside) else { return Ok(after) };
            self.keep(name, text, false)?;
            return Ok(after);
        }
        if self.open.len() < self.limits.nesting {
            self.open.push(name.to_owned());
        }
        self.group(b'{');
        self.numbering.float = float(name).or(self.numbering.float);
        let is_known = mark_of(name).is_some() || self.definitions.environments.contains_key(name);
        let unknown = (!is_known && self.is_unknown_environment(name)).then_some(MarkKind::Unjudged);
        if let Some(mark) = mark_of(name).or(unknown) {
            if self.environments.len() >= self.limits.nesting {
                return Err(ExtractError::TooDeep { levels: self.limits.nesting });
            }
            self.builder.open(mark);
            self.environments.push((name.to_owned(), mark));
        }
        if let Some(begins) = self.definitions.environments.get(name).cloned() {
            self.expanded += begins.len();
            self.within_expansion(depth)?;
            self.read(&begins, depth + 1)?;
        }
        if let Some(head) = self.numbering.theorem(name) {
            return self.theorem(&head, after, depth);
        }
        // The environments that take arguments of their own: columns, widths.
        Ok(match name {
            "tabular" | "longtable" | "minipage" | "thebibliography" | "multicols" | "array" => {
                self.columns(1, after, depth)?
            }
            "tabularx" | "tabular*" | "wrapfigure" => self.columns(2, after, depth)?,
            _ => self.options(after, depth)?,
        })
    }

    /// An environment ends, and what it left open.
    pub(super) fn end(&mut self, text: &str) {
        if let Some(at) = self.open.iter().rposition(|name| name == text) {
            self.open.truncate(at);
        }
        if let Some(at) = self.environments.iter().rposition(|(name, _)| name == text) {
            let (_, mark) = self.environments.remove(at);
            self.builder.close(mark);
        }
        if float(text).is_some() {
            self.numbering.float = None;
        }
        self.group(b'}');
        self.builder.end_paragraph();
    }
}
