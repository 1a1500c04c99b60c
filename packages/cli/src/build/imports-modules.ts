import { readdirSync } from 'node:fs'
import path from 'node:path'
import { isEsModule } from '@fastback/boot/server'

const isCode = /\.(?:js|mjs|ts|mts)$/

/**
 * Whether code of a folder is of ES modules, which may import the framework. Packages are not looked at.
 *
 * ```js
 * importsModules('my-app') // false, where all of it is CommonJS
 * ```
 */
export function importsModules (folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(entry => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return false
    const file = path.join(folder, entry.name)
    return entry.isDirectory() ? importsModules(file) : isCode.test(entry.name) && isEsModule(file)
  })
}
