/** Writes elements, with a prefix for each namespace that comes up. */
import { escapeAttribute, escapeText } from '../xml/text.js'
import { xsiUri, type QName } from '../xml/names.js'

export class XmlWriter {
  readonly #prefixes = new Map<string, string>()

  /** The name with the prefix of its namespace. */
  name ({ uri, name }: QName): string {
    if (uri === '') return name
    let prefix = this.#prefixes.get(uri)
    if (prefix === undefined) {
      prefix = uri === xsiUri ? 'xsi' : `ns${String(this.#prefixes.size + 1)}`
      this.#prefixes.set(uri, prefix)
    }
    return `${prefix}:${name}`
  }

  attribute (name: QName, value: string): string {
    return ` ${this.name(name)}="${escapeAttribute(value)}"`
  }

  /** @param content XML */
  element (name: QName, attributes: string, content: string): string {
    const tag = this.name(name)
    return content === '' ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${content}</${tag}>`
  }

  text (text: string): string {
    return escapeText(text)
  }

  /** An element that was written with this writer, and declares what stands in it. */
  outermost (element: string): string {
    const declarations = [...this.#prefixes].map(([uri, prefix]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`).join('')
    return element.replace(/^<[^\s/>]+/, tag => tag + declarations)
  }
}
