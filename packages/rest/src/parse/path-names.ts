/** Names of the parameters in a route's path: `id` and `fk` of `/:id/books/:fk`. */
export function pathNames (path: string): ReadonlySet<string> {
  return new Set(Array.from(path.matchAll(/:(\w+)/g), match => match[1] as string))
}
