import type { SharedMethod } from '@fastback/core'

/** Whether a method has a row at hand, which can have an owner. */
export const isAboutOneRow = ({ isStatic, http, accepts, builtin }: SharedMethod): boolean =>
  !isStatic || http.some(({ path }) => path.includes(':id')) || builtin === 'patchOrCreate' ||
  builtin === 'replaceOrCreate' || (builtin === undefined && accepts.some(({ arg }) => arg === 'id'))
