import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { ownPackage } from './own-package.js'

t.test('installed, the package is named by its version; in a checkout it is a link', async t => {
  const manifest = JSON.stringify({ version: '1.2.3' })
  const dir = t.testdir({
    checkout: { 'pnpm-workspace.yaml': '', packages: { cli: { 'package.json': manifest } } },
    node_modules: { '@fastback': { cli: { 'package.json': manifest } } }
  })
  const url = (folder: string) => pathToFileURL(`${path.join(dir, folder)}/`)
  t.strictSame(ownPackage(url('node_modules/@fastback/cli')), { specifier: '^1.2.3' })
  t.strictSame(ownPackage(url('checkout/packages/cli')), {
    specifier: `file:${path.join(dir, 'checkout/packages/cli')}`,
    checkout: path.join(dir, 'checkout')
  })
})
