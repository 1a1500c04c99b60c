import type { CompiledModel, ModelRegistry } from '@fastback/core'
import { openApiDocument, type DocumentOptions } from './document/document.js'
import type { OpenApiDocument } from './document/types.js'
import { textFile, type ServedFile } from './served-file.js'

/**
 * A description as a file: made when it is first asked for, and again when a model has changed since.
 *
 * ```js
 * const description = new Description(app.registry, { openapi: '3.1' })
 * await sendFile(request, reply, description.file)
 * ```
 */
export class Description {
  #file: ServedFile | undefined
  #described: readonly CompiledModel[] = []

  /** @param convert makes another form of the document */
  constructor (
    private readonly registry: ModelRegistry,
    private readonly options: DocumentOptions,
    private readonly convert: (document: OpenApiDocument) => object = document => document
  ) {}

  get file (): ServedFile {
    const models = Object.values(this.registry.models).map(Model => Model.compiled)
    if (
      this.#file === undefined ||
      models.length !== this.#described.length ||
      models.some((model, index) => model !== this.#described[index])
    ) {
      this.#file = textFile(
        JSON.stringify(this.convert(openApiDocument(this.registry, this.options))),
        'application/json; charset=utf-8'
      )
      this.#described = models
    }
    return this.#file
  }
}
