// The first page. It is short: where to begin, and where the rest is.
import { guides } from './navigation.mjs'

const actions = [
  ['brand', 'In ten minutes', '/guides/start-command-line'],
  ['alt', 'In TypeScript', '/guides/start-typescript'],
  ['alt', 'From LoopBack 3', '/guides/from-loopback3']
]

/** A page of the theme's layout "home". */
export const home = () => `---
layout: home
title: Fastback
hero:
  name: Fastback
  text: An HTTP API out of model definitions
  tagline: Models, relations, filters, users and access rules as Fastify plugins. Folders written for LoopBack 3 run as they are.
  actions:
${actions.map(([theme, text, link]) => `    - { theme: ${theme}, text: ${text}, link: ${link} }`).join('\n')}
---

${guides.map(({ text, items }) => `## ${text}\n\n${items.map(({ text: name, link, about }) => `- [${name}](${link}.md): ${about}`).join('\n')}`).join('\n\n')}

## Look up

- [HTTP reference](/http.md), [API reference](/api/index.md), [settings](/settings/index.md), [errors](/errors/index.md)
- [Names of LoopBack 3](/guides/loopback3-names.md), [the command line](/packages/cli.md), [changelog](/changelog.md)
- [Architecture](/internals/architecture.md), [decisions](/internals/decisions.md), [rules](/internals/index.md)
`
