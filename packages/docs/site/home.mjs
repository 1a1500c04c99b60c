// The first page. It is short: what this is, where to begin, and where the rest is.
import { guides } from './navigation.mjs'

const section = ({ text, items }) =>
  `## ${text}\n\n${items.map(({ text: name, link, about }) => `- [${name}](${link}.md): ${about}`).join('\n')}`

/** The text of the first page. */
export const home = () => `---
aside: false
---

# Fastback

An HTTP API out of model definitions, on [Fastify](https://fastify.dev): models, relations, filters, users and access rules
as plugins. Folders written for LoopBack 3 run as they are.

\`\`\`sh
npm create @fastback@latest my-app -- --template notes
cd my-app && npm install && npm start
\`\`\`

From a checkout of the repository: \`npx --package CHECKOUT fastback new my-app --template notes\`, or as a library
\`npm install fastify CHECKOUT/packages/core CHECKOUT/packages/rest …\`.

${guides.map(section).join('\n\n')}

## Look up

- [HTTP reference](/http.md), [API reference](/api/index.md), [settings](/settings/index.md), [errors](/errors/index.md)
- [Packages](/packages/index.md), [the command line](/packages/cli.md), [the explorer](/packages/explorer.md),
  [push](/packages/push.md), [health](/packages/health.md), [changelog](/changelog.md)
- [SQL](/packages/connector-sql.md), [MongoDB](/packages/connector-mongodb.md), [Redis](/packages/connector-redis.md),
  [REST](/packages/connector-rest.md), [SOAP](/packages/connector-soap.md), [connectors of LoopBack](/packages/connector-loopback.md)
- [Security](/security.md), [architecture](/internals/architecture.md), [decisions](/internals/decisions.md), [rules](/internals/index.md)
`
