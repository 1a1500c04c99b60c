/**
 * What the script of a model (`note.js` beside `note.json`) finds on its class beside the operations, as types. A
 * generated `models.d.ts` puts them together for each model of a folder.
 */
import type {
  Definition,
  HookContext,
  HookName,
  Instance,
  Model,
  ModelClass,
  RemoteMethodOptions,
  RowType
} from '@fastback/core'

type ValidationOptions = Record<string, unknown>

/** Names of properties, then options. */
type Validates<Name extends string> = (...names: [Name, ...Array<Name | ValidationOptions>]) => void

/** What a remote hook is called with. */
export interface RemoteContext {
  readonly req: unknown
  readonly res: unknown
  /** The method's arguments by name. */
  args: Record<string, unknown>
  /** After the method. */
  result?: unknown
  /** In `afterRemoteError`. */
  error?: unknown
  readonly instance?: unknown
  readonly methodString: string
  [key: string]: unknown
}

type RemoteHook = (context: RemoteContext, instance: unknown, next: (error?: unknown) => void) => unknown

/** Validations, hooks and remote methods: what is declared on a class. */
export interface Declarations<I, Name extends string> {
  readonly prototype: I
  readonly settings: Record<string, unknown>
  remoteMethod(name: string, options: RemoteMethodOptions): void
  disableRemoteMethodByName(name: string): void
  beforeRemote(method: string, hook: RemoteHook): void
  afterRemote(method: string, hook: RemoteHook): void
  afterRemoteError(method: string, hook: (context: RemoteContext, next: (error?: unknown) => void) => unknown): void
  validatesPresenceOf: Validates<Name>
  validatesAbsenceOf: Validates<Name>
  validatesLengthOf: Validates<Name>
  validatesNumericalityOf: Validates<Name>
  validatesInclusionOf: Validates<Name>
  validatesExclusionOf: Validates<Name>
  validatesFormatOf: Validates<Name>
  validatesDateOf: Validates<Name>
  validatesUniquenessOf: Validates<Name>
  validate(
    property: string,
    validator: (this: I, fail: (kind?: string | false) => void) => void,
    options?: ValidationOptions
  ): void
  validateAsync(
    property: string,
    validator: (this: I, fail: (kind?: string | false) => void, done: () => void) => void,
    options?: ValidationOptions
  ): void
}

type Name<D extends Definition> = keyof RowType<D> & string

/** The class of a connected model. */
export type ConnectedModel<D extends Definition> = Model<D> & Declarations<Instance<D>, Name<D>>

/** The class of a model without a data source. */
export interface PlainModel<D extends Definition> extends Declarations<Instance<D>, Name<D>> {
  new (data?: Readonly<Record<string, unknown>>): Instance<D>
  readonly modelName: D['name']
  readonly definition: ModelClass['definition']
  observe (hook: HookName, observer: (context: HookContext, next?: (error?: unknown) => void) => unknown): void
}
