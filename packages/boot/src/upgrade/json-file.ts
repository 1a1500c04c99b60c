/** A file of JSON with the places of what stands in it. */
import { findNodeAtLocation, parseTree, type JSONPath, type Node, type ParseError } from 'jsonc-parser'

/** What is not there, or no JSON, has nothing in it. */
export class JsonFile {
  readonly #root: Node | undefined
  readonly isThere: boolean
  /** Whether there is a text that is no JSON. */
  readonly isBroken: boolean

  /** @param file relative to the folder, with slashes */
  constructor (readonly file: string, readonly text: string | undefined) {
    const faults: ParseError[] = []
    this.#root = parseTree(text ?? '', faults, { allowTrailingComma: true })
    this.isThere = text !== undefined
    this.isBroken = text !== undefined && faults.length > 0
  }

  has (...at: JSONPath): boolean {
    return this.#node(at) !== undefined
  }

  /** The offset of a key with its value, or of an item; 0 where there is none. */
  offset (...at: JSONPath): number {
    const node = this.#node(at)
    return (node?.parent?.type === 'property' ? node.parent : node)?.offset ?? 0
  }

  value (...at: JSONPath): unknown {
    const node = this.#node(at)
    return node === undefined ? undefined : plain(node)
  }

  /** The keys of an object. */
  keys (...at: JSONPath): string[] {
    const node = this.#node(at)
    return node?.type === 'object' ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value)) : []
  }

  /** The place of a key itself, with its quotes. */
  key (...at: JSONPath): { readonly offset: number, readonly length: number } | undefined {
    return this.#node(at)?.parent?.children?.[0]
  }

  #node (at: JSONPath): Node | undefined {
    return this.#root === undefined ? undefined : findNodeAtLocation(this.#root, at)
  }
}

function plain ({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(plain)
  if (type !== 'object') return value
  return Object.fromEntries(children.flatMap(({ children: [key, held] = [] }) =>
    key === undefined || held === undefined ? [] : [[String(key.value), plain(held)]]))
}
