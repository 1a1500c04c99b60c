/**
 * `@fastback/connector-remote`: models of another Fastback or LoopBack 3 application, used as if they were here.
 *
 * ```js
 * app.register(core, {
 *   dataSources: { hall: { connector: remoteConnector, url: 'https://hall.example/api' } },
 *   definitions: [{ name: 'Note', properties: { title: 'string' } }],
 *   models: { Note: { dataSource: 'hall' } }
 * })
 * await app.models.Note.find({ where: { title: 'hello' } }) // GET https://hall.example/api/Notes?filter=…
 * ```
 */
export { remoteConnector, RemoteConnector } from './remote-connector.js'
export type { RemoteAuth } from './settings.js'
