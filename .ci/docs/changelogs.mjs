// Whether every package that is published says in its CHANGELOG.md what its version brings, and whether what that
// section names is there: each name in backticks stands in the sources, the READMEs or the guides.
import { exists, filesBelow, packages, read } from './files.mjs'

const names = text => text.match(/[A-Za-z_$][\w$]*/g) ?? []
/** Names in capitals stand for what a user puts in their place: `GET /:id/PROPERTY`. */
const isPlaceholder = name => /^[A-Z]+$/.test(name)

function knownNames () {
  const files = packages().flatMap(name => [
    `packages/${name}/README.md`, `packages/${name}/package.json`,
    ...['src', 'schemas', 'templates'].flatMap(folder => filesBelow(`packages/${name}/${folder}`))
  ])
  const all = [...files, ...filesBelow('packages/docs/guides')].filter(exists)
  return new Set(all.flatMap(file => names(read(file))))
}

/** The section of a version; undefined where there is none. */
const sectionOf = (text, version) => text.split(/^## /m).find(section => section.startsWith(`${version}\n`))

/** @returns faults, one text each */
export function checkChangelogs () {
  const known = knownNames()
  return packages().flatMap(folder => {
    const { name, version, private: isPrivate } = JSON.parse(read(`packages/${folder}/package.json`))
    if (isPrivate) return []
    const file = `packages/${folder}/CHANGELOG.md`
    if (!exists(file)) return [`${file} is missing`]
    const text = read(file)
    const section = sectionOf(text, version)
    if (!text.startsWith(`# ${name}\n`)) return [`${file}:1: does not begin with "# ${name}"`]
    if (section === undefined) return [`${file}: has no section "## ${version}"`]
    const spans = Array.from(section.matchAll(/`([^`\n]+)`/g), ([, span]) => span)
    const unknown = new Set(spans.flatMap(names).filter(each => !known.has(each) && !isPlaceholder(each)))
    return [...unknown].map(each => `${file}: names ${each}, which no source and no document has`)
  })
}
