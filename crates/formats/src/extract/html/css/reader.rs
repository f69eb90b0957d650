//! Takes the rules of a style sheet or attribute apart, by the grammar of CSS Syntax 3 with nested rules (CSS Nesting 1).

use std::rc::Rc;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};

use super::properties::{Declarations, draws, matters, without_prefix};
use super::selectors::{Holds, MOST_NESTED, Selector};
use super::{Sheet, conditions};

/// Blocks that declare what others name: signs of lists, and variables.
const DATA: [&str; 2] = ["counter-style", "property"];

/// Rules stand no deeper inside of others.
const DEEPEST: usize = 8;

/// Takes in the rules of a sheet.
pub(super) fn read_sheet(text: &str, sheet: &mut Sheet) {
    sheet.shows_attributes |= text.to_ascii_lowercase().contains("attr(");
    let mut block = BlockReader::new(sheet, Place::Sheet);
    for _ in StyleSheetParser::new(&mut Parser::new(text), &mut block) {}
}

/// The declarations of a `style` attribute.
pub(super) fn read_attribute(text: &str, sheet: &mut Sheet) -> Declarations {
    let mut block = BlockReader::new(sheet, Place::Attribute);
    for _ in RuleBodyParser::new(&mut Parser::new(text), &mut block) {}
    block.declarations
}

/// What a block belongs to.
#[derive(Clone)]
enum Place {
    Sheet,
    Attribute,
    Rule(Rc<Prelude>),
}

/// What stands before the block of a rule.
struct Prelude {
    selectors: Vec<Selector>,
    /// It may name what stands before or behind elements, which has content.
    has_content: bool,
}

struct BlockReader<'r> {
    sheet: &'r mut Sheet,
    place: Place,
    /// When the blocks around hold, and whether one of them is a layer.
    holds: Holds,
    layered: bool,
    depth: usize,
    /// What the rule declares since the last block in it.
    declarations: Declarations,
}

impl<'r> BlockReader<'r> {
    fn new(sheet: &'r mut Sheet, place: Place) -> Self {
        BlockReader {
            sheet,
            place,
            holds: Holds::Always,
            layered: false,
            depth: 0,
            declarations: Declarations::default(),
        }
    }

    /// Reads a block inside this one.
    fn block(&mut self, place: Place, holds: Holds, layered: bool, input: &mut Parser<'_>) {
        self.end_declarations();
        if self.depth >= DEEPEST {
            self.sheet.has_unread = true;
            while input.next().is_ok() {}
            return;
        }
        let (holds, depth) = (self.holds.max(holds), self.depth + 1);
        let layered = self.layered || layered;
        let mut inner =
            BlockReader { sheet: self.sheet, place, holds, layered, depth, declarations: Declarations::default() };
        for _ in RuleBodyParser::new(input, &mut inner) {}
        inner.end_declarations();
    }

    /// What was declared so far comes before what the next block in this one declares.
    fn end_declarations(&mut self) {
        let declarations = std::mem::take(&mut self.declarations);
        if let Place::Rule(prelude) = &self.place {
            self.sheet.add(&prelude.selectors, declarations, self.holds, self.layered);
        }
    }

    /// Text that a rule puts before or behind elements.
    fn content(&mut self, input: &mut Parser<'_>) -> Result<(), ParseError<()>> {
        while let Ok(token) = input.next().cloned() {
            match token {
                Token::QuotedString(text) => self.sheet.generated.push(text.to_string()),
                Token::Function(name) if name.eq_ignore_ascii_case("attr") => {
                    let name = input.parse_nested_block(|input| {
                        let name = input.expect_ident()?.to_ascii_lowercase();
                        while input.next().is_ok() {}
                        Ok::<_, ParseError<()>>(name)
                    });
                    self.sheet.shown_attributes.extend(name);
                }
                Token::CurlyBracketBlock => return Err(ParseError::unexpected_token()),
                _ => {}
            }
        }
        Ok(())
    }
}

impl<'i> QualifiedRuleParser<'i> for BlockReader<'_> {
    type Prelude = Prelude;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Prelude, ParseError<()>> {
        let start = input.position();
        let nested = matches!(self.place, Place::Rule(_));
        let mut selectors = input.parse_comma_separated_ignoring_errors(|input| Selector::read(input, nested));
        if let Place::Rule(outer) = &self.place {
            let mut nested = Vec::new();
            for (own, outer) in selectors.iter().flat_map(|own| outer.selectors.iter().map(move |outer| (own, outer))) {
                self.sheet.nested = self.sheet.nested.saturating_add(own.bytes_inside(outer));
                if self.sheet.nested > MOST_NESTED {
                    self.sheet.has_unread = true;
                    break;
                }
                nested.push(own.inside(outer));
            }
            selectors = nested;
        }
        Ok(Prelude { selectors, has_content: input.slice_from(start).contains(':') })
    }

    fn parse_block(&mut self, prelude: Prelude, _: &ParserState, input: &mut Parser<'i>) -> Result<(), ParseError<()>> {
        self.block(Place::Rule(Rc::new(prelude)), Holds::Always, false, input);
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for BlockReader<'_> {
    /// When the rules in it hold, unless it has none but declarations; and whether it is a layer.
    type Prelude = (Option<Holds>, bool);
    type AtRule = ();
    type Error = ();

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<(Option<Holds>, bool), ParseError<()>> {
        let name = name.to_ascii_lowercase();
        let condition = written(input, &mut Vec::new())?;
        self.sheet.has_unread |= name == "import" && condition.contains("data:");
        if DATA.contains(&name.as_str()) {
            return Ok((None, false));
        }
        let holds = conditions::holds(&name, &condition).ok_or_else(ParseError::unexpected_token)?;
        Ok((Some(holds), name == "layer"))
    }

    fn parse_block(
        &mut self,
        (holds, layered): (Option<Holds>, bool),
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        let place = match holds {
            Some(_) => self.place.clone(),
            None => Place::Rule(Rc::new(Prelude { selectors: Vec::new(), has_content: false })),
        };
        self.block(place, holds.unwrap_or(Holds::Always), layered, input);
        Ok(())
    }
}

impl<'i> DeclarationParser<'i> for BlockReader<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<(), ParseError<()>> {
        let name = name.to_ascii_lowercase();
        if name == "content" && matches!(&self.place, Place::Rule(prelude) if prelude.has_content) {
            return self.content(input);
        }
        let value = written(input, &mut self.sheet.strings)?;
        if name.starts_with("--") {
            self.declarations.add(name, &value);
        } else if let known = without_prefix(&name)
            && (matters(known) || draws(known, &value))
        {
            self.declarations.add(known.to_owned(), &value);
        }
        Ok(())
    }
}

impl<'i> RuleBodyItemParser<'i, (), ()> for BlockReader<'_> {
    fn parse_declarations(&self) -> bool {
        !matches!(self.place, Place::Sheet)
    }

    fn parse_qualified(&self) -> bool {
        !matches!(self.place, Place::Attribute)
    }
}

/// What stands in a value or a condition, in lower case and without comments and escapes. What has a block in it is neither.
/// `strings`: gets those that are in quotes, and addresses.
fn written(input: &mut Parser<'_>, strings: &mut Vec<String>) -> Result<String, ParseError<()>> {
    let mut text = String::new();
    loop {
        let start = input.position();
        let Ok(token) = input.next_including_whitespace_and_comments().cloned() else { break };
        match token {
            Token::Comment(_) => {}
            Token::WhiteSpace(_) => text.push(' '),
            Token::Ident(name) => text.push_str(&name),
            Token::QuotedString(string) => {
                strings.push(string.to_string());
                text.push_str(input.slice_from(start));
            }
            Token::UnquotedUrl(address) => {
                strings.push(address.to_string());
                text.push_str(input.slice_from(start));
            }
            Token::CurlyBracketBlock => return Err(ParseError::unexpected_token()),
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => {
                text.push_str(input.slice_from(start));
                text.push_str(&input.parse_nested_block(|input| written(input, strings))?);
                text.push(if token == Token::SquareBracketBlock { ']' } else { ')' });
            }
            _ => text.push_str(input.slice_from(start)),
        }
    }
    Ok(text.trim().to_ascii_lowercase())
}
