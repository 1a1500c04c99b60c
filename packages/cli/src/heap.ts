import v8 from 'node:v8'

/**
 * Keeps the heap of a server small: V8 lets its young generation grow to 48 MB before it collects, although nothing of
 * an answered request is used again. With a small one a server with express middleware stays some 60 MB smaller and is
 * as fast (measured with 10,000 requests on a folder of 29 models). Whoever starts node with a size of their own
 * (`--max-semi-space-size`) keeps it.
 */
export function keepHeapSmall (flags: readonly string[] = [...process.execArgv, process.env.NODE_OPTIONS ?? '']): void {
  if (!flags.some(flag => flag.includes('semi-space'))) v8.setFlagsFromString('--semi-space-growth-factor=1')
}
