//! Rules of the Web Content Accessibility Guidelines that a program can check: those of axe-core, which `make tools` fetches,
//! and some of our own, which are stricter or hold where it could not be fetched.

use super::driver::Browser;
use crate::program::project;
use serde_json::Value;
use std::path::PathBuf;

/// What breaks a rule, each with the element it is about.
pub fn violations(browser: &Browser) -> Vec<String> {
    let mut found = strings(browser.run(RULES));
    if let Some(axe) = axe() {
        browser.run(&std::fs::read_to_string(axe).unwrap());
        found.extend(strings(browser.run(AXE)));
    }
    found
}

fn strings(found: Value) -> Vec<String> {
    found.as_array().unwrap().iter().map(|violation| violation.as_str().unwrap().to_owned()).collect()
}

/// The script of axe-core, if it could be fetched; it is said where not, and the rules below are all.
fn axe() -> Option<PathBuf> {
    let files = std::fs::read_dir(project("target")).into_iter().flatten();
    let is_axe = |name: &str| name.starts_with("axe-core-") && name.ends_with(".js");
    let found =
        files.map(|file| file.unwrap().path()).find(|path| path.file_name().unwrap().to_str().is_some_and(is_axe));
    if found.is_none() {
        eprintln!("axe-core is missing (make tools fetches it): only the rules of this file were applied");
    }
    found
}

/// Every rule of levels A and AA, good practice, and the size of what is clicked; a run in which none applied proves nothing.
const AXE: &str = r#"
const rules = { 'target-size': { enabled: true } };
return axe.run(document, { rules, resultTypes: ['violations'] }).then((result) => {
  const broken = result.violations.map((rule) => `axe ${rule.id}: ` + rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' '));
  return result.passes.length < 20 ? ['axe applied only ' + result.passes.length + ' rules', ...broken] : broken;
});
"#;

const RULES: &str = r#"
const found = [];
const tell = (rule, element) => found.push(rule + ': ' + element.outerHTML.slice(0, 120));
const all = (selector) => [...document.querySelectorAll(selector)];
const labelled = (element) => element.getAttribute('aria-label')
    || (element.getAttribute('aria-labelledby') && document.getElementById(element.getAttribute('aria-labelledby'))?.textContent);

if (!document.documentElement.lang) tell('language', document.documentElement);
if (!document.title) tell('title', document.head);
if (all('main').length !== 1) tell('one main landmark', document.body);
if (all('h1').length !== 1) tell('one first heading', document.body);
let level = 0;
for (const heading of all('h1, h2, h3, h4')) {
  const next = Number(heading.tagName[1]);
  if (next > level + 1) tell('heading skips a level', heading);
  level = next;
}
const ids = new Set();
for (const element of all('[id]')) { if (ids.has(element.id)) tell('id twice', element); ids.add(element.id); }
for (const element of all('[aria-labelledby]')) if (!document.getElementById(element.getAttribute('aria-labelledby'))) tell('label is missing', element);
for (const element of all('button, a[href]')) if (!element.textContent.trim() && !labelled(element)) tell('no name', element);
for (const element of all('input:not([type=hidden], [hidden])')) if (!element.closest('label')?.textContent.trim() && !labelled(element)) tell('no label', element);
for (const element of all('svg')) if (element.getAttribute('aria-hidden') !== 'true' && !(element.getAttribute('role') === 'img' && labelled(element))) tell('picture without words', element);
for (const element of all('th')) if (!element.scope || !element.textContent.trim()) tell('header cell', element);
for (const element of all('section, nav, aside')) if (!labelled(element)) tell('landmark without a name', element);
const landmarks = all('section, nav, aside, [role=region]').map((element) => labelled(element));
if (new Set(landmarks).size !== landmarks.length) tell('landmarks of one name', document.body);
for (const list of all('ul, ol')) for (const child of list.children) if (child.tagName !== 'LI') tell('list', child);
for (const element of all('*')) {
  const style = getComputedStyle(element);
  if ((style.overflowY === 'auto' || style.overflowY === 'scroll') && element.scrollHeight > element.clientHeight + 1
      && element.tabIndex < 0 && !element.querySelector('a, button, input')) tell('scrolls only by mouse', element);
}

const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map((value) => { value /= 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; })
    .reduce((sum, value, at) => sum + value * [.2126, .7152, .0722][at], 0);
const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = channels(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return canvas;
};
for (const element of all('body *')) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || element.closest('svg, script, [hidden]') || element.getClientRects().length === 0) continue;
  const [ink, paper] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
  const contrast = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
  if (contrast < 4.5) tell('contrast ' + contrast.toFixed(2), element);
}
return found;
"#;
