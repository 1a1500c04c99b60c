// Looks at the built pages: every address and anchor that they link to is there, and nothing comes from elsewhere.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const attribute = name => new RegExp(`\\s${name}="([^"]*)"`, 'g')
const values = (html, name) => Array.from(html.matchAll(attribute(name)), ([, value]) => value.replaceAll('&amp;', '&'))

/** Addresses that a page loads by itself. */
const loaded = html => [
  ...values(html, 'src'),
  ...Array.from(html.matchAll(/<link\s[^>]*href="([^"]*)"/g), ([, value]) => value)
]

/**
 * @param out the folder of the built site
 * @param base where it stands on its host
 * @returns { pages, links, faults }
 */
export function faultsOf (out, base) {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).map(file => file.replaceAll(path.sep, '/'))
  const pages = new Map(files.filter(file => file.endsWith('.html')).map(file => [file, readFileSync(path.join(out, file), 'utf8')]))
  const anchors = new Map([...pages].map(([file, html]) => [file, new Set(values(html, 'id'))]))
  const faults = []
  let links = 0
  for (const [file, html] of pages) {
    for (const address of loaded(html)) {
      if (/^(?:[a-z]+:)?\/\//.test(address)) faults.push(`${file} loads ${address}`)
    }
    for (const href of values(html, 'href')) {
      if (/^(?:[a-z]+:)/.test(href)) continue
      links++
      const [address, anchor] = href.split('#')
      const name = address === '' ? file : address.startsWith(base) ? address.slice(base.length) : path.posix.join(path.posix.dirname(file), address)
      const target = [name, `${name}index.html`, `${name}.html`].find(each => each !== '' && !each.endsWith('/') && existsSync(path.join(out, each)))
      if (target === undefined) faults.push(`${file} links to ${href}, which is not there`)
      else if (anchor !== undefined && anchor !== '' && pages.has(target) && !anchors.get(target).has(decodeURIComponent(anchor))) {
        faults.push(`${file} links to ${href}; that page has no such anchor`)
      }
    }
  }
  for (const file of files.filter(each => each.endsWith('.css'))) {
    for (const [, address] of readFileSync(path.join(out, file), 'utf8').matchAll(/url\(["']?((?:https?:)?\/\/[^)"']+)/g)) {
      faults.push(`${file} loads ${address}`)
    }
  }
  return { pages: pages.size, links, faults: [...new Set(faults)] }
}
