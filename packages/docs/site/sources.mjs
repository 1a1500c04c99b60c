// Which documents of the repository become which pages of the site. There is one source of each: nothing is copied by
// hand.
import { documents, exists, filesBelow, packages } from '../../../.ci/docs/files.mjs'

/** Pages by the path of their source from the root: 'packages/core/README.md' → 'packages/core.md'. */
export function pagesOfSources () {
  const pages = new Map([
    ['README.md', 'packages/index.md'],
    ['SECURITY.md', 'security.md'],
    ['CONTRIBUTING.md', 'contributing.md'],
    ['test-fixtures/README.md', 'internals/test-fixtures.md'],
    ['packages/docs/README.md', 'internals/index.md'],
    ...packages().filter(name => name !== 'docs' && exists(`packages/${name}/README.md`))
      .map(name => [`packages/${name}/README.md`, `packages/${name}.md`])
  ])
  for (const file of filesBelow('packages/docs')) {
    const [, folder, name] = /^packages\/docs\/(?:(guides|rules)\/)?([^/]+\.md)$/.exec(file) ?? []
    if (name !== undefined && name !== 'README.md') pages.set(file, `${folder ?? 'internals'}/${name}`)
  }
  return pages
}

/** Documents that are no page are told: a guide that nobody reads is a fault. */
export const withoutPage = pages => documents().filter(file => !pages.has(file))
