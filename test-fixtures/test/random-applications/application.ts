/** A random application as a folder in LoopBack's layout. */
import { Choice } from './choice.js'
import { modelsFor } from './definitions.js'
import { methodCode, tellCode } from './methods.js'
import type { ApplicationShape } from './shapes.js'

const json = (value: unknown): string => JSON.stringify(value, null, 2)

export function applicationFor (seed: number): ApplicationShape {
  const choice = new Choice(seed)
  const models = modelsFor(choice)
  const loose = seed % 2 === 0
  const files: Record<string, string> = {
    'package.json': json({ name: `random-${seed}`, version: '1.0.0', main: 'server/server.js' }),
    'server/config.json': json({
      restApiRoot: '/api',
      host: '127.0.0.1',
      port: 0,
      hideProtectedFromRelations: false,
      ...(loose ? { coercion: 'loopback3' } : {}),
      remoting: { context: false, errorHandler: { debug: false, log: false }, rest: { normalizeHttpPath: false, errorDetails: 'loopback3' } }
    }),
    'server/datasources.json': json({ db: { name: 'db', connector: 'memory' } }),
    'server/model-config.json': json({
      _meta: { sources: ['loopback/common/models', './models'], mixins: ['./mixins'] },
      ...Object.fromEntries(models.map(({ name }) => [name, { dataSource: 'db', public: true }]))
    }),
    'server/mixins/stamp.js': [
      'module.exports = (Model, options) => {',
      "  Model.defineProperty('stamp', { type: 'string', default: options.value })",
      '}', ''
    ].join('\n'),
    'server/boot/functions.js':
      `module.exports = app => {\n  ${models.flatMap(({ script }) => script).join('\n  ')}\n}\n`
  }
  for (const { name, definition, code, methods } of models) {
    files[`server/models/${name.toLowerCase()}.json`] = json(definition)
    files[`server/models/${name.toLowerCase()}.js`] = [
      `${tellCode}\nmodule.exports = Model => {`,
      ...[...code, ...methods.map(method => methodCode(choice, method))].map(each => `  ${each}`),
      '}', ''
    ].join('\n')
  }
  return { models, files, loose }
}
