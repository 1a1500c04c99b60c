/** What the script of a model (`note.js` beside `note.json`) gets as its class; a generated `models.d.ts` names it. */
import type { Definition, Instance, Model } from '@fastback/core'

/** The class of a model of a folder. */
export type FolderModel<D extends Definition> = Model<D> & { readonly prototype: Instance<D> }
