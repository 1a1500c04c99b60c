import type { CompiledModel, ModelRegistry } from '@fastback/core'
import { textFile, type ServedFile } from '@fastback/ui'
import { openApiDocument, type DocumentOptions } from './document/document.js'
import type { OpenApiDocument } from '@fastback/ui/openapi'

/**
 * What is said of the models of a registry, as a file of JSON: made when it is first asked for, and again when a model
 * has changed since.
 *
 * ```js
 * const names = new ModelsFile(app.registry, () => Object.keys(app.registry.models))
 * await sendFile(request, reply, names.file)
 * ```
 */
export class ModelsFile {
  #file: ServedFile | undefined
  #told: readonly CompiledModel[] = []

  /** @param tell gives what the file holds */
  constructor (private readonly registry: ModelRegistry, private readonly tell: () => object) {}

  get file (): ServedFile {
    const models = Object.values(this.registry.models).map(Model => Model.compiled)
    if (
      this.#file === undefined ||
      models.length !== this.#told.length ||
      models.some((model, index) => model !== this.#told[index])
    ) {
      this.#file = textFile(JSON.stringify(this.tell()), 'application/json; charset=utf-8')
      this.#told = models
    }
    return this.#file
  }
}

/**
 * A description of the API.
 *
 * ```js
 * const description = describedIn(app.registry, { openapi: '3.1' })
 * await sendFile(request, reply, description.file)
 * ```
 * @param convert makes another form of the document
 */
export const describedIn = (
  registry: ModelRegistry,
  options: DocumentOptions,
  convert: (document: OpenApiDocument) => object = document => document
): ModelsFile => new ModelsFile(registry, () => convert(openApiDocument(registry, options)))
