// The spans of submissions that dolos marks, as CSV: dolos.mjs FOLDER PAIRS.csv, with @dodona/dolos-core beside the working folder.
// A character is a token, k-grams of 23 and windows of 17 are its defaults.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "here"));
const { File, FingerprintIndex, Region, TokenizedFile } = await import(pathToFileURL(require.resolve("@dodona/dolos-core")));
const [folder, list] = process.argv.slice(2);

function read(path) {
  const text = readFileSync(join(folder, path), "utf-8");
  const tokens = Array.from(text);
  return new TokenizedFile(new File(path, text), tokens, tokens.map((_, at) => new Region(0, at, 0, at + 1)));
}

for (const line of readFileSync(list, "utf-8").trim().split("\n").slice(1)) {
  const [submission, source] = line.split(",");
  const files = [read(submission), read(source)];
  const index = new FingerprintIndex(23, 17);
  index.addFiles(files);
  for (const { leftSelection: found } of index.getPair(...files).buildFragments()) {
    console.log(`${submission},${source},${found.startCol},${found.endCol}`);
  }
}
