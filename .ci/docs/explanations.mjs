// What `fastback explain` reads: written into the package of the command line, and compared with the sources.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { exists, read, root } from './files.mjs'
import { knownErrors } from './known-errors.mjs'

const file = 'packages/cli/errors.json'

const places = [
  [/^\/guides\/([\w-]+)/, name => `the guide "${name}"`],
  [/^\/packages\/([\w-]+)/, name => `the README of @fastback/${name}`],
  [/^\/(?:internals|settings)\/([\w-]+)/, name => `the page "${name}"`]
]

/** Sentences for a terminal, and where there is more to read. */
function plain (markdown) {
  const see = []
  const placeOf = link => places.map(([form, text]) => form.exec(link)?.[1] && text(form.exec(link)[1])).find(Boolean)
  const note = link => see.push(placeOf(link) ?? link)
  const text = markdown
    .replaceAll(/ \(\[[^\]]+\]\(([^)]+)\)\)/g, (_, link) => { note(link); return '' })
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words, link) => { note(link); return words })
  return { text, see }
}

function explanation ({ cause, cure, ...entry }) {
  const { text, see } = plain(cure ?? '')
  const known = { cause, cure: text === '' ? undefined : text, see: see.length === 0 ? undefined : see }
  return { ...entry, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) }
}

export function checkExplanations ({ write }) {
  const text = `[\n${knownErrors().map(entry => JSON.stringify(explanation(entry))).join(',\n')}\n]\n`
  if (exists(file) && read(file) === text) return []
  if (!write) return [`${file}: not what the sources say; run "node .ci/docs.mjs --write"`]
  writeFileSync(path.join(root, file), text)
  return []
}
