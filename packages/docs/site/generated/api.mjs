// The reference of functions and classes: what packages export, with its signature and its docstring.
import { exportedValues } from '../../../../.ci/docs/doors.mjs'

/** A docstring as Markdown: the stars go, tags become lines, `{@link X}` becomes X. */
function plain (text) {
  const lines = text.replaceAll(/^\/\*\*|\*\/$/gm, '').split('\n').map(line => line.replace(/^\s*\* ?/, ''))
  return lines.join('\n')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/^@example\s*$/gm, '')
    .replaceAll(/^@param (\S+) ?/gm, '\n`$1`: ')
    .replaceAll(/^@returns? ?/gm, '\nGives: ')
    .replaceAll(/^@throws? ?/gm, '\nThrows: ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** @returns pages by name */
export function apiPages () {
  const byPackage = new Map()
  for (const { entry, name, signature, text } of exportedValues().filter(({ name }) => name !== 'default')) {
    const [owner] = entry.split('/')
    const doors = byPackage.get(owner) ?? new Map()
    const door = `@fastback/${entry}`
    doors.set(door, [...doors.get(door) ?? [], `### ${name}\n\n\`\`\`ts no-run\n${signature}\n\`\`\`\n\n${plain(text)}`])
    byPackage.set(owner, doors)
  }
  const pages = new Map([...byPackage].map(([owner, doors]) => [`api/${owner}.md`, `# API of @fastback/${owner}

What the package exports to be called: signature, what it does, what it throws, an example. How it is used: [its page](/packages/${owner}.md).

${[...doors].map(([door, entries]) => `## ${door}\n\n${entries.join('\n\n')}`).join('\n\n')}
`]))
  const list = [...byPackage].map(([owner, doors]) =>
    `| [\`@fastback/${owner}\`](/api/${owner}.md) | ${[...doors.values()].flat().map(entry => `\`${entry.slice(4, entry.indexOf('\n'))}\``).join(', ')} |`)
  pages.set('api/index.md', `# API reference

Every function and class that a package exports, from the docstrings of the sources.

| package | exports |
|---|---|
${list.join('\n')}
`)
  return pages
}
