// The changelog: what was released (CHANGELOG.md of the packages), version by version, and what will be next
// (.changeset).
import { exists, filesBelow, packages, read } from '../../../../.ci/docs/files.mjs'

/** @returns the first package that a changeset names, undefined where it names none, and its text */
function changeset (file) {
  const [, names, text] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(read(file)) ?? []
  if (names === undefined) throw new Error(`${file} has no list of packages`)
  const [first] = names.split('\n').map(line => line.replace(/^['"]([^'"]+)['"].*$/, '$1')).filter(name => name !== '')
  return { first, text: text.trim() }
}

/** What waits for the next release, by the package that it is about first; empty where nothing does. */
function nextRelease () {
  const next = new Map()
  for (const { first, text } of filesBelow('.changeset').filter(file => /(?<!README)\.md$/.test(file)).map(changeset)) {
    if (first === undefined) continue
    next.set(first, [...next.get(first) ?? [], `- ${text.replaceAll('\n', '\n  ')}`])
  }
  if (next.size === 0) return []
  const sections = [...next].sort(([a], [b]) => a.localeCompare(b))
    .map(([name, entries]) => `### ${name}\n\n${entries.join('\n')}`)
  return ['## Next release', ...sections]
}

/** The sections of a CHANGELOG.md by version, in its order. */
function versionsOf (name) {
  const [, ...sections] = read(`packages/${name}/CHANGELOG.md`).split(/^## /m)
  return sections.map(section => {
    const end = section.indexOf('\n')
    return { version: section.slice(0, end).trim(), text: section.slice(end).trim() }
  })
}

/** @returns pages by name */
export function changelogPages () {
  const versions = new Map()
  for (const name of packages().filter(each => exists(`packages/${each}/CHANGELOG.md`))) {
    for (const { version, text } of versionsOf(name)) {
      const section = `### @fastback/${name}\n\n${text.replaceAll(/^(#+) /gm, '#$1 ')}`
      versions.set(version, [...versions.get(version) ?? [], section])
    }
  }
  const newestFirst = [...versions].sort(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }))
  const released = newestFirst.flatMap(([version, sections]) => [`## ${version}`, ...sections])
  return new Map([['changelog.md', `# Changelog

What a user can see of each version. All packages have one version.

${[...nextRelease(), ...released].join('\n\n')}
`]])
}
