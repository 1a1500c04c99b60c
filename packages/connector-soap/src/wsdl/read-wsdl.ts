/** The operations of a WSDL 1.1: of each port of each service, in the order of the document. */
import { attributeOf, childOf, childrenOf, type XmlElement } from '../xml/element.js'
import { keyOf, readQName, soapBindingUris, wsdlUri, type SoapVersion } from '../xml/names.js'
import { SchemaTypes } from '../schema/schema-types.js'
import { anyType, type ElementUse } from '../schema/types.js'
import type { WsdlDocuments } from './documents.js'
import type { Message, Operation, SkippedOperation } from './operations.js'

export interface Wsdl {
  readonly operations: readonly Operation[]
  readonly skipped: readonly SkippedOperation[]
  readonly types: SchemaTypes
}

type Kind = 'message' | 'portType' | 'binding'

/** A message or port type by a name that an attribute holds. */
class Declared {
  readonly #found = new Map<string, XmlElement>()

  constructor (definitions: readonly XmlElement[]) {
    for (const root of definitions) {
      const uri = attributeOf(root, 'targetNamespace') ?? ''
      for (const node of root.children) {
        const name = attributeOf(node, 'name')
        if (node.uri === wsdlUri && name !== undefined) this.#found.set(`${node.name} ${keyOf({ uri, name })}`, node)
      }
    }
  }

  named (kind: Kind, at: XmlElement, attribute: string): XmlElement | undefined {
    const written = attributeOf(at, attribute)
    return written === undefined ? undefined : this.#found.get(`${kind} ${keyOf(readQName(at, written))}`)
  }
}

/** What is the matter with an operation that is left out. */
class Unusable extends Error {}

interface Port {
  readonly service: string
  readonly port: string
  readonly address: string | undefined
  readonly binding: XmlElement
  readonly soapUri: string
  readonly version: SoapVersion
  readonly style: string
}

class WsdlReader {
  readonly #declared: Declared
  readonly types: SchemaTypes

  constructor (readonly documents: WsdlDocuments) {
    this.#declared = new Declared(documents.definitions)
    this.types = new SchemaTypes(documents.schemas)
  }

  read (): Wsdl {
    const operations: Operation[] = []
    const skipped: SkippedOperation[] = []
    for (const port of this.#ports()) {
      for (const bound of childrenOf(port.binding, 'operation', wsdlUri)) {
        try {
          operations.push(this.#operation(port, bound))
        } catch (error) {
          if (!(error instanceof Unusable)) throw error
          skipped.push({ name: `${port.port}.${attributeOf(bound, 'name') ?? ''}`, reason: error.message })
        }
      }
    }
    return { operations, skipped, types: this.types }
  }

  #ports (): Port[] {
    return this.documents.definitions
      .flatMap(root => childrenOf(root, 'service'))
      .flatMap(service => childrenOf(service, 'port').flatMap(port => this.#port(service, port) ?? []))
  }

  /** Undefined for ports of other protocols. */
  #port (service: XmlElement, port: XmlElement): Port | undefined {
    const binding = this.#declared.named('binding', port, 'binding')
    const soap = binding?.children.find(({ name, uri }) => name === 'binding' && uri in soapBindingUris)
    if (binding === undefined || soap === undefined) return undefined
    const soapUri = soap.uri as keyof typeof soapBindingUris
    const address = port.children.find(({ name, uri }) => name === 'address' && uri in soapBindingUris)
    return {
      service: attributeOf(service, 'name') ?? '',
      port: attributeOf(port, 'name') ?? '',
      address: address && attributeOf(address, 'location'),
      binding,
      soapUri,
      version: soapBindingUris[soapUri],
      style: attributeOf(soap, 'style') ?? 'document'
    }
  }

  #operation (port: Port, bound: XmlElement): Operation {
    const name = attributeOf(bound, 'name') ?? ''
    const soap = childOf(bound, 'operation', port.soapUri)
    const portType = this.#declared.named('portType', port.binding, 'type')
    const abstract = portType && childrenOf(portType, 'operation').find(each => attributeOf(each, 'name') === name)
    if (abstract === undefined) throw new Unusable('its port type does not have it')
    const style = (soap && attributeOf(soap, 'style')) ?? port.style
    const message = (direction: 'input' | 'output'): Message | undefined => {
      const declared = childOf(abstract, direction)
      if (declared === undefined) return undefined
      const suffix = direction === 'output' ? 'Response' : ''
      return this.#message(port, declared, childOf(bound, direction), style === 'rpc' ? `${name}${suffix}` : undefined)
    }
    const description = childOf(abstract, 'documentation')?.text.trim()
    return {
      service: port.service,
      port: port.port,
      name,
      address: port.address,
      version: port.version,
      action: (soap && attributeOf(soap, 'soapAction')) ?? '',
      actionRequired: (soap && attributeOf(soap, 'soapActionRequired')) === 'true',
      input: message('input') ?? { wrapper: undefined, parts: [] },
      output: message('output'),
      faults: childrenOf(abstract, 'fault').flatMap(fault => this.#fault(fault)),
      description: description === '' ? undefined : description
    }
  }

  /** A fault that nobody declares is read without types. */
  #fault (fault: XmlElement): ElementUse[] {
    try {
      return this.#parts(fault, () => true, false)
    } catch (error) {
      if (error instanceof Unusable) return []
      throw error
    }
  }

  /** @param rpc the name of the wrapper; undefined for the style `document` */
  #message (port: Port, declared: XmlElement, bound: XmlElement | undefined, rpc: string | undefined): Message {
    const body = bound && deep(bound, 'body', port.soapUri)
    if (body !== undefined && attributeOf(body, 'use') === 'encoded') {
      throw new Unusable('it is written in SOAP encoding, and only "literal" is known')
    }
    return {
      wrapper: rpc === undefined ? undefined : { uri: (body && attributeOf(body, 'namespace')) ?? '', name: rpc },
      parts: this.#parts(declared, this.#namesOfParts(port, declared, bound, body), rpc !== undefined)
    }
  }

  /** Whether a part is one of the body: those that go into the header are not, where the body does not name its own. */
  #namesOfParts (
    { soapUri }: Port, declared: XmlElement, bound: XmlElement | undefined, body: XmlElement | undefined
  ): (name: string) => boolean {
    const named = body && attributeOf(body, 'parts')?.trim().split(/\s+/)
    if (named !== undefined) return name => named.includes(name)
    const message = this.#declared.named('message', declared, 'message')
    const inHeader = (bound === undefined ? [] : childrenOf(bound, 'header', soapUri))
      .filter(header => this.#declared.named('message', header, 'message') === message)
      .map(header => attributeOf(header, 'part'))
    return name => !inHeader.includes(name)
  }

  #parts (at: XmlElement, isWanted: (name: string) => boolean, isRpc: boolean): ElementUse[] {
    const message = this.#declared.named('message', at, 'message')
    if (message === undefined) throw new Unusable('a message of it is not there')
    return childrenOf(message, 'part')
      .filter(part => isWanted(attributeOf(part, 'name') ?? ''))
      .map(part => this.#part(part, isRpc))
  }

  #part (part: XmlElement, isRpc: boolean): ElementUse {
    const element = attributeOf(part, 'element')
    if (element !== undefined) {
      const use = this.types.element(readQName(part, element))
      if (use === undefined) throw new Unusable('no schema has the element of a message')
      return use
    }
    const type = attributeOf(part, 'type')
    if (!isRpc || type === undefined) throw new Unusable('a part of a message names a type where an element must be')
    return {
      name: attributeOf(part, 'name') ?? '',
      uri: '',
      isMany: false,
      isRequired: true,
      isNillable: false,
      type: this.types.type(readQName(part, type)) ?? anyType
    }
  }
}

/** Somewhere below: bodies with attachments stand in parts of `mime:multipartRelated`. */
function deep (element: XmlElement, name: string, uri: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = child.name === name && child.uri === uri ? child : deep(child, name, uri)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * ```js
 * readWsdl(await collectDocuments('stock.wsdl', fetch)).operations.map(({ name }) => name) // ['GetPrice', …]
 * ```
 */
export const readWsdl = (documents: WsdlDocuments): Wsdl => new WsdlReader(documents).read()
