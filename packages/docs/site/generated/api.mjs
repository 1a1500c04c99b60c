// The reference of functions and classes: what packages export, with its signature and its docstring. Types stand on
// pages of their own, with the members of classes.
import { exportedTypes } from '../../../../.ci/docs/exported-types.mjs'
import { exportedValues } from '../../../../.ci/docs/entries.mjs'
import { plain } from './docstring.mjs'
import { typePages } from './types.mjs'

/** @returns pages by name */
export function apiPages () {
  const types = exportedTypes()
  const byPackage = new Map()
  for (const { entry, name, signature, text } of exportedValues().filter(({ name }) => name !== 'default')) {
    const [owner] = entry.split('/')
    const entryPoints = byPackage.get(owner) ?? new Map()
    const entryPoint = `@fastback/${entry}`
    entryPoints.set(entryPoint, [...entryPoints.get(entryPoint) ?? [], `### ${name}\n\n\`\`\`ts no-run\n${signature}\n\`\`\`\n\n${plain(text)}`])
    byPackage.set(owner, entryPoints)
  }
  const pages = new Map([...byPackage].map(([owner, entryPoints]) => [`api/${owner}.md`, `# API of @fastback/${owner}

What the package exports to be called: signature, what it does, what it throws, an example. How it is used: [its page](/packages/${owner}.md).${types.some(type => type.owner === owner && type.code !== undefined) ? ` Types, and members of classes: [types](/types/${owner}.md).` : ''}

${[...entryPoints].map(([entryPoint, entries]) => `## ${entryPoint}\n\n${entries.join('\n\n')}`).join('\n\n')}
`]))
  const list = [...byPackage].map(([owner, entryPoints]) =>
    `| [\`@fastback/${owner}\`](/api/${owner}.md) | ${[...entryPoints.values()].flat().map(entry => `\`${entry.slice(4, entry.indexOf('\n'))}\``).join(', ')} |`)
  pages.set('api/index.md', `# API reference

Every function and class that a package exports, from the docstrings of the sources. Interfaces, types, constants and the
members of classes: [types](/types/index.md).

| package | exports |
|---|---|
${list.join('\n')}
`)
  return new Map([...pages, ...typePages(types)])
}
