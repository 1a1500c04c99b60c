/** What tests take from the sources of the bench, which are JavaScript and not in `dist`. */

/** A module of `src`, by its path there. */
export const source = async <M>(file: string): Promise<M> =>
  await import(new URL(`../src/${file}`, import.meta.url).href) as M
