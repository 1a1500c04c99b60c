import type { ModelRegistry } from '@fastback/core'
import { openApiDocument, type DocumentOptions } from './document/document.js'
import type { OpenApiDocument } from './document/types.js'
import { textFile, type ServedFile } from './served-file.js'

/** A description as a file: made when it is first asked for, and again after a model has changed. */
export class Description {
  #file: ServedFile | undefined

  /** @param convert makes another form of the document */
  constructor (
    private readonly registry: ModelRegistry,
    private readonly options: DocumentOptions,
    private readonly convert: (document: OpenApiDocument) => object = document => document
  ) {
    for (const event of ['modelDefined', 'modelAttached', 'modelChanged']) registry.on(event, () => { this.#file = undefined })
  }

  get file (): ServedFile {
    return (this.#file ??= textFile(JSON.stringify(this.convert(openApiDocument(this.registry, this.options))), 'application/json; charset=utf-8'))
  }
}
