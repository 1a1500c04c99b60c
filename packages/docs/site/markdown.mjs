// Brings a document of the repository into the form of a page: comments go, links lead to pages.
import path from 'node:path'
import { exists } from '../../../.ci/docs/files.mjs'

const link = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/** The parts of a text that are no code block, as `change` gives them; blocks stay as they are. */
export function outsideOfBlocks (text, change) {
  return text.split(/(^```[^\n]*\n[\s\S]*?\n```$)/m)
    .map((part, index) => index % 2 === 0 ? change(part) : part)
    .join('')
}

/** Comments are for the tools that read the sources: code before examples, places of tables. */
const withoutComments = text => text.replace(/^<!--[\s\S]*?-->\n*/gm, '')

/** The page that a link of a document leads to; undefined: none, though the file is there. */
function pageOf (target, source, pages) {
  const [name, anchor] = target.split('#')
  const file = name === '' ? source : path.posix.join(path.posix.dirname(source), name).replace(/\/$/, '')
  const page = pages.get(file) ?? pages.get(path.posix.join(file, 'README.md'))
  if (page !== undefined) return `/${page}${anchor === undefined ? '' : `#${anchor}`}`
  if (!exists(file)) throw new Error(`${source} links to ${target}, which is not there`)
}

/**
 * The page of a document.
 * @param text the document
 * @param source its path from the root
 * @param pages pages by source
 * @throws Error where a link leads nowhere
 */
export function pageOfDocument (text, source, pages) {
  const relink = part => part.replace(link, (whole, label, target) => {
    if (/^[a-z]+:/.test(target)) return whole
    if (target.endsWith('.svg')) return `[${label}](/pictures/${path.posix.basename(target)})`
    const page = pageOf(target, source, pages)
    // What is no page, a source or a folder, stays a name.
    return page === undefined ? label : `[${label}](${page})`
  })
  return outsideOfBlocks(withoutComments(text), relink)
}
