/** `fastback introspect`: models of free-form data, in an application folder (discovery.md, IN-9). */
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { modelsOfSamples, type IntrospectedModel } from '@fastback/core/juggler'
import { ChangeSet } from './changes/index.js'
import { DefinedInCodeError, NoSamplesError } from './errors.js'
import { definitionFiles, definitionModuleOf, formFor, inOrder, modelLayoutOf, planModel } from './model-files/index.js'
import { readSamples, type SampleFormat } from './samples.js'

export interface IntrospectOptions {
  /** A file, an address (`https://…`), or a stream; the standard input is such a stream. */
  readonly source: string | Readable
  /** Name of the model of a sample; objects within it are called after it. */
  readonly model: string
  /** Default: by the name of the file, else by what the data look like. */
  readonly format?: SampleFormat | undefined
  /** Default: `db`. */
  readonly dataSource?: string | undefined
  /** Whether everybody may do everything. Default: false, a rule denies all until others allow. */
  readonly open?: boolean | undefined
  /** Modules with TypeBox in place of JSON. Default: whether the folder has a `tsconfig.json`. */
  readonly typescript?: boolean | undefined
  /** Samples that are looked at. Default: 10,000. */
  readonly limit?: number | undefined
}

export interface Introspection {
  readonly changes: ChangeSet
  readonly samples: number
  readonly models: ReadonlyArray<IntrospectedModel & { readonly file: string }>
}

const denied = { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }

/**
 * Plans the models of samples. Nothing is written before `changes` are (`carryOut`).
 *
 * ```js
 * const { changes, models } = await introspect('my-app', { source: 'orders.ndjson', model: 'Order' })
 * ```
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_DEFINED_IN_CODE, FBK_CLI_NO_SAMPLES, FBK_CLI_SAMPLES, FBK_UNSAFE_NAME
 */
export async function introspect (dir: string, options: IntrospectOptions): Promise<Introspection> {
  const { source, model, dataSource = 'db', open = false, limit = 10_000 } = options
  const folder = path.resolve(dir)
  const layout = modelLayoutOf(folder)
  const changes = new ChangeSet(folder)
  const samples = await readSamples(await opened(source), { format: options.format ?? formatOf(source), limit })
  if (samples.length === 0) throw new NoSamplesError()
  const files = definitionFiles(changes, layout)
  const form = formFor(changes, layout, options.typescript)
  const models = modelsOfSamples(model, samples).map(found => {
    const { notes, ...definition } = found
    const inCode = definitionModuleOf(changes, layout, found.name)
    if (inCode !== undefined) throw new DefinedInCodeError(found.name, inCode)
    const file = files.get(found.name)
    if (file !== undefined) {
      addProperties(changes, file, definition.properties)
      return { ...found, file }
    }
    const isStored = found.base === 'PersistedModel'
    return {
      ...found,
      file: planModel(changes, layout, {
        definition: inOrder({ ...definition, acls: open || !isStored ? [] : [denied] }) as typeof definition,
        dataSource: isStored ? dataSource : null,
        isPublic: isStored,
        form
      })
    }
  })
  return { changes, samples: samples.length, models }
}

/** What a person wrote stays; what the samples have beyond it comes to it. */
function addProperties (changes: ChangeSet, file: string, found: IntrospectedModel['properties']): void {
  const { properties = {} } = changes.readJson(file) as { readonly properties?: Readonly<Record<string, unknown>> }
  for (const [name, property] of Object.entries(found)) {
    if (!Object.hasOwn(properties, name)) changes.setJson(file, ['properties', name], property)
  }
}

const formats: Readonly<Record<string, SampleFormat>> = {
  '.json': 'json', '.ndjson': 'ndjson', '.jsonl': 'ndjson', '.csv': 'csv'
}

const formatOf = (source: string | Readable): SampleFormat | undefined => typeof source !== 'string'
  ? undefined
  : formats[path.extname(isAddress(source) ? new URL(source).pathname : source).toLowerCase()]

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

async function opened (source: string | Readable): Promise<Readable> {
  if (typeof source !== 'string') return source
  if (!isAddress(source)) return createReadStream(source)
  const answer = await fetch(source, { headers: { accept: 'application/json, application/x-ndjson, text/csv' } })
  if (!answer.ok || answer.body === null) throw new NoSamplesError(`${source} answers ${answer.status}`)
  return Readable.fromWeb(answer.body)
}
