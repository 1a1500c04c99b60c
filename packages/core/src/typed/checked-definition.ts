/** A definition, key by key, as the compiler checks it. */
import type { KnownSettings } from '../definition/vocabulary/settings.js'
import type { permissions } from '../definition/vocabulary/acl.js'
import type { DefinitionKey } from '../definition/vocabulary/settings.js'
import type {
  CheckedIndexes, CheckedMethodsOf, CheckedModel, CheckedNames, CheckedProperties, CheckedRelations, CheckedRules,
  CheckedScopes
} from './checks.js'
import type { Definition, IsClosed } from './definitions.js'
import type { Fits, Wrong } from './names.js'

/** Lists as constants have them. */
type Readonlies<T> = T extends ReadonlyArray<infer Item> ? ReadonlyArray<Readonlies<Item>>
  : T extends object ? { readonly [K in keyof T]: Readonlies<T[K]> } : T

/** What is known of a setting, but for those that are checked by name. */
type Settings = Omit<KnownSettings, 'indexes' | 'defaultPermission'> & {
  defaultPermission?: typeof permissions[number]
}

type Setting<K, V, D extends Definition> =
  K extends keyof Settings ? Fits<K, V, Readonlies<Settings[K]>>
    : K extends 'indexes' ? CheckedIndexes<V, D>
      : K extends DefinitionKey | `x-${string}` | symbol ? unknown
        // A name that is worked out, of a definition that was written elsewhere.
        : string extends K ? unknown : V extends object ? unknown
          : IsClosed<D> extends true ? Wrong<`"${K & string}" is no setting of a model`> : unknown

type Part<K, V, D extends Definition> =
  K extends 'properties' ? CheckedProperties<V, D>
    : K extends 'relations' ? CheckedRelations<V, D>
      : K extends 'acls' ? CheckedRules<V, D, IsClosed<D>>
        : K extends 'hidden' | 'protected' | 'hiddenProperties' | 'protectedProperties' ? CheckedNames<V, D>
          : K extends 'scopes' ? CheckedScopes<V, D>
            : K extends 'methods' ? CheckedMethodsOf<V, D>
              : K extends 'base' ? CheckedModel<V, D>
                : Setting<K, V, D>

/** The keys of every definition, without those that are settings. */
type TopKeys = { [K in keyof Definition as string extends K ? never : K]: Definition[K] }

/**
 * What a definition must be besides what it is. Names and words that cannot be meant have the type `Wrong`, which says
 * what is wrong with them; of all else nothing is asked.
 */
export type CheckedDefinition<D> = D extends Definition
  ? string extends D['name'] ? unknown : {
    readonly [K in keyof D]: K extends 'options' | 'settings'
      ? { readonly [S in keyof D[K]]: Part<S, D[K][S], D> }
      : Part<K, D[K], D>
  }
  // A value of another kind: what is wrong with the rest shows when it is right.
  : { readonly [K in keyof D]: K extends keyof TopKeys ? Fits<K, D[K], TopKeys[K] | undefined> : unknown }
