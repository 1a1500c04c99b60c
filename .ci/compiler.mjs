// The compiler that builds and checks: TypeScript 7, which uses both processors and takes 40 s of them for all packages
// where TypeScript 5.9 takes 98 s, and writes the same JavaScript. `typescript` stays at 5.9 for what reads sources by
// its API (typescript-eslint, `npx tap FILE`, the checks of documents): 7 has none that is stable.
import { createRequire } from 'node:module'
import path from 'node:path'

/** The file that `node` runs in place of `tsc`. */
export const compiler =
  path.join(path.dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin/tsc')
