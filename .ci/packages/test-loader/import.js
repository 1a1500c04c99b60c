// tap imports this into each test process, in place of ts-node (pnpm-workspace.yaml, `overrides`): ts-node loads the
// compiler of TypeScript twice into each of them and compiles each file again, a second and more of the processor for
// each test file.
import { register } from 'node:module'

register('./hooks.js', import.meta.url)
