import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The parser of queries with brackets, loaded with the first of them: it brings thirty modules along. */
export const qs = (): typeof import('qs') => require('qs') as typeof import('qs')
