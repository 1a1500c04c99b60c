// The reference of types: each with its docstring, its members as they are declared, and the way to what it names.
import { plain } from './docstring.mjs'

const linkTo = ({ owner, name }) => `[${name}](/types/${owner}.md#${name.toLowerCase()})`

function section ({ name, text, code, mentions }) {
  const others = mentions.length === 0 ? '' : `Names: ${mentions.map(linkTo).join(', ')}.`
  return [`### ${name}`, plain(text), `\`\`\`ts no-run\n${code}\n\`\`\``, others].filter(part => part !== '').join('\n\n')
}

/** What an entry point has of other packages, where these have a page of it. */
function passedOn (types, all) {
  const known = types.filter(({ owner, name, code }) => code === undefined &&
    all.some(each => each.owner === owner && each.name === name && each.code !== undefined))
  return known.length === 0 ? [] : [`From other packages: ${known.map(linkTo).join(', ')}.`]
}

/**
 * @param types what `exportedTypes` of .ci/docs/exported-types.mjs found
 * @returns pages by name
 */
export function typePages (types) {
  const owners = [...new Set(types.filter(({ code }) => code !== undefined).map(({ owner }) => owner))]
  const pages = owners.map(owner => {
    const entryPoints = [...new Set(types.map(({ entry }) => entry).filter(entry => entry.split('/')[0] === owner))]
    const sections = entryPoints.map(entryPoint => {
      const here = types.filter(({ entry }) => entry === entryPoint)
      const parts = [...passedOn(here, types), ...here.filter(({ code }) => code !== undefined).map(section)]
      return parts.length === 0 ? '' : `## @fastback/${entryPoint}\n\n${parts.join('\n\n')}`
    })
    return [`types/${owner}.md`, `# Types of @fastback/${owner}

Interfaces, types, constants and the members of classes that the package exports. How they are used:
[its page](/packages/${owner}.md).

${sections.filter(text => text !== '').join('\n\n')}
`]
  })
  const list = owners.map(owner => {
    const own = types.filter(each => each.owner === owner && each.code !== undefined)
    return `| [\`@fastback/${owner}\`](/types/${owner}.md) | ${own.map(linkTo).join(', ')} |`
  })
  return new Map([...pages, ['types/index.md', `# Types

Every type that a package exports, from its declarations and docstrings.

| package | types |
|---|---|
${list.join('\n')}
`]])
}
