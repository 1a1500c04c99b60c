// The changelog: what was released (CHANGELOG.md of the packages), and what will be next (.changeset).
import { exists, filesBelow, packages, read } from '../../../../.ci/docs/files.mjs'

function changeset (file) {
  const [, names, text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(file)) ?? []
  if (names === undefined) throw new Error(`${file} has no list of packages`)
  const [first] = names.split('\n').map(line => line.replace(/^['"]([^'"]+)['"].*$/, '$1')).filter(name => name !== '')
  return { first, text: text.trim() }
}

/** @returns pages by name */
export function changelogPages () {
  const next = new Map()
  for (const { first, text } of filesBelow('.changeset').filter(file => /(?<!README)\.md$/.test(file)).map(changeset)) {
    next.set(first, [...next.get(first) ?? [], `- ${text.replaceAll('\n', '\n  ')}`])
  }
  const sections = [...next].sort(([a], [b]) => a.localeCompare(b))
    .map(([name, entries]) => `### ${name}\n\n${entries.join('\n')}`)
  const released = packages().filter(name => exists(`packages/${name}/CHANGELOG.md`))
    .map(name => read(`packages/${name}/CHANGELOG.md`).replaceAll(/^(#+) /gm, '#$1 '))
  return new Map([['changelog.md', `# Changelog

What a user can see of each change. All packages have one version.

## Next release

${sections.join('\n\n')}

${released.join('\n\n')}
`]])
}
