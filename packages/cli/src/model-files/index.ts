/** Application folders as commands write them. */
export { isModuleFolder, layoutOf, type Layout } from './layout.js'
export { definitionFiles, inOrder, planModel, scriptText, type NewModel } from './model-files.js'
export { checkName, faultOfName, fileNameOf } from './names.js'
