// Writes the pages of the site: documents of the repository with their links turned to pages, and what is made of the
// sources. The folder is made anew each time.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { filesBelow, read, root } from '../../../.ci/docs/files.mjs'
import { apiPages } from './generated/api.mjs'
import { changelogPages } from './generated/changelog.mjs'
import { errorPages } from './generated/errors.mjs'
import { httpPages } from './generated/http.mjs'
import { settingPages } from './generated/settings.mjs'
import { home } from './home.mjs'
import { pageOfDocument } from './markdown.mjs'
import { pagesOfSources, withoutPage } from './sources.mjs'

/** @param folder where the pages go */
export function assemble (folder) {
  const pages = pagesOfSources()
  const left = withoutPage(pages)
  if (left.length > 0) throw new Error(`documents without a page: ${left.join(', ')}`)

  rmSync(folder, { recursive: true, force: true })
  const write = (name, text) => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const [source, page] of pages) {
    write(page, pageOfDocument(read(source), source, pages))
  }
  const made = [apiPages(), changelogPages(), errorPages(), httpPages(), settingPages(pages)]
  for (const [page, text] of made.flatMap(each => [...each])) write(page, text)
  write('index.md', home())

  const pictures = path.join(folder, 'public/pictures')
  mkdirSync(pictures, { recursive: true })
  const drawn = ['plots', 'pictures'].flatMap(each => filesBelow(`packages/docs/${each}`)).filter(file => file.endsWith('.svg'))
  for (const file of drawn) {
    copyFileSync(path.join(root, file), path.join(pictures, path.basename(file)))
  }
}
