/** Operations as messages are written and read by them. */
import type { ElementUse } from '../schema/types.js'
import type { QName, SoapVersion } from '../xml/names.js'

export interface Message {
  /** Of RPC: the element that stands around the parts. */
  readonly wrapper: QName | undefined
  /** Elements of the body; of RPC: what stands in the wrapper. */
  readonly parts: readonly ElementUse[]
}

export interface Operation {
  readonly service: string
  readonly port: string
  readonly name: string
  /** Where the WSDL says that the service is; undefined where it does not. */
  readonly address: string | undefined
  readonly version: SoapVersion
  readonly action: string
  /** Whether the service wants an action over SOAP 1.2, too. */
  readonly actionRequired: boolean
  readonly input: Message
  /** Undefined for operations that answer nothing. */
  readonly output: Message | undefined
  /** Elements that its faults may hold. */
  readonly faults: readonly ElementUse[]
  readonly description: string | undefined
}

/** An operation that no message can be written for. */
export interface SkippedOperation { readonly name: string, readonly reason: string }
