/** Switches second factors on where a user model, or the application, asks for them; elsewhere nothing is made. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { findRows, implyProperty, nowAndThen, updateRows } from '@fastback/core/remote'
import { FactorSecretError } from '../errors.js'
import { authService } from '../service.js'
import { addPasskeys, passkeysOf } from '../passkeys/install.js'
import { isUserModel, tokensOf, type UserModel } from '../user/user-model.js'
import { endOfCredentials } from './changes.js'
import { mustComeBeforeRoutes } from './enrolment.js'
import { declareFactorMethods } from './methods.js'
import { attachFactorModels } from './models.js'
import { SealedTexts } from './sealed-texts.js'
import { SecondFactors } from './second-factors.js'
import { factorOptions, type SecondFactorOptions } from './settings.js'

/** What sealed secrets are for. */
const info = 'fastback second factors'

/** So that everything is there in development, over restarts and for all processes. It protects nothing. */
const ofDevelopment = 'fastback: for development, where nothing is secret'

const quiet = { notify: false }
const kInstalled = Symbol('fastback.secondFactors')

interface Installed {
  ofApplication: SecondFactorOptions | undefined
  readonly byModel: Map<ModelClass, SecondFactors>
}

const installedIn = (registry: ModelRegistry): Installed =>
  registry.slot<Installed>(kInstalled, () => ({ ofApplication: undefined, byModel: new Map() }))

/** To be called once for a registry: looks at user models as they are attached. */
export function offerSecondFactors (registry: ModelRegistry): void {
  const { byModel } = installedIn(registry)
  authService(registry).secondFactors = Model => byModel.get(Model)
  registry.on('modelAttached', switchOn)
  // Which model has the tokens of a user model is known when all are there.
  registry.on('closing', () => {
    for (const Model of byModel.keys()) {
      const TokenModel = tokensOf(Model)?.TokenModel
      if (TokenModel !== undefined) implyProperty(TokenModel, 'amr', { type: ['string'], hidden: true })
    }
  })
}

/** The option `secondFactors`, for models that are attached and those that come. */
export function switchOnFor (registry: ModelRegistry, ofApplication: SecondFactorOptions | undefined): void {
  if (ofApplication === undefined) return
  installedIn(registry).ofApplication = ofApplication
  for (const Model of Object.values(registry.models)) switchOn(Model)
}

function switchOn (Model: ModelClass): void {
  if (!isUserModel(Model) || Model.dataSource === null) return
  const { registry } = Model
  const { byModel, ofApplication } = installedIn(registry)
  const options = factorOptions(Model, ofApplication)
  if (options === undefined || byModel.has(Model)) return
  mustComeBeforeRoutes(Model, options)
  const isFirst = byModel.size === 0
  const models = attachFactorModels(registry, options.dataSource ?? Model.dataSource.name)
  let texts: SealedTexts | undefined
  const factors = new SecondFactors(
    Model, options, models,
    () => (texts ??= new SealedTexts(secretsOf(options), info)),
    event => { authService(registry).audit(event) }
  )
  byModel.set(Model, factors)
  declareFactorMethods(Model as UserModel, factors)
  addPasskeys(Model as UserModel, factors)
  registry.emit('secondFactors', Model)
  authService(registry).credentials.listen(endOfCredentials(factors))
  if (!isFirst) return
  nowAndThen(registry, {
    interval: 60_000,
    work: () => factors.challenges.sweep(),
    failed: err => { registry.log.warn({ err }, 'challenges that are over could not be removed') }
  })
}

/**
 * @throws FBK_AUTH_FACTOR_SECRET in production without a secret
 */
function secretsOf ({ secret }: SecondFactorOptions): string[] {
  if (secret !== undefined) return [secret].flat()
  if (process.env.NODE_ENV === 'production') {
    throw new FactorSecretError('Second factors need a secret that seals them: set "auth.secondFactors.secret" (16 characters or more, such as those of "openssl rand -base64 32").')
  }
  return [ofDevelopment]
}

/**
 * At the start: there is a secret, and rows that an earlier one sealed are sealed with the first one.
 * @throws FBK_AUTH_FACTOR_SECRET for no secret in production, and for rows that none of the secrets opens
 */
export async function openSecondFactors (registry: ModelRegistry): Promise<void> {
  for (const factors of installedIn(registry).byModel.values()) {
    const texts = factors.sealed()
    if (factors.options.secret === undefined) {
      registry.log.warn({ model: factors.Model.modelName },
        'Secrets of second factors are sealed with what everybody knows; set "auth.secondFactors.secret". In production the application does not start without')
    }
    await sealAnew(factors, texts)
    // Without a domain in production the application does not start.
    passkeysOf(factors)?.open()
  }
}

async function sealAnew ({ Model, models }: SecondFactors, texts: SealedTexts): Promise<void> {
  const { compiled } = models.UserFactor
  for (;;) {
    const where = { and: [{ principalType: Model.modelName }, { kind: 'totp' }, { keyId: { neq: texts.keyId } }] }
    const rows = await findRows(compiled, { where, limit: 100 }, quiet)
    for (const { id, secret } of rows) {
      const text = await texts.open(secret)
      if (text === undefined) {
        throw new FactorSecretError(`The second factor "${String(id)}" was sealed with a secret that is not in "auth.secondFactors.secret" any more. Add that secret to the end of the list, or remove the factors of the user.`)
      }
      const sealed = { secret: await texts.seal(text), keyId: texts.keyId }
      await updateRows(compiled, { and: [{ id }, { secret }] }, sealed, quiet)
    }
    if (rows.length < 100) return
  }
}
