// A provider of OpenID Connect made of oidc-provider (npm), which knows nothing of copytrace, with the pages that it brings for
// signing in. Says its address; then hears that of copytrace; ends with its input.
//
// oidc.mjs MODULES SECRET: the folder that oidc-provider is in, and the secret of its client `copytrace`.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, secret] = process.argv.slice(2);
const { Provider } = await import(pathToFileURL(createRequire(`${folder}/package.json`).resolve("oidc-provider")));

const server = createServer();
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const issuer = `http://127.0.0.1:${server.address().port}`;
console.log(issuer);

const lines = createInterface({ input: process.stdin });
lines.once("line", (tool) => {
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "copytrace",
      client_secret: secret,
      redirect_uris: [`${tool}/sign-in/campus/back`],
      post_logout_redirect_uris: [`${tool}/login`],
      backchannel_logout_uri: `${tool}/sign-in/campus/back`,
      backchannel_logout_session_required: true,
    }],
    claims: { openid: ["sub"], profile: ["name", "student_number"] },
    features: { backchannelLogout: { enabled: true } },
    findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id, name: `Called ${id}`, student_number: id }) }),
    cookies: { keys: ["a key of this test alone"] },
  });
  server.on("request", provider.callback());
  console.log("ready");
});
lines.on("close", () => process.exit());
