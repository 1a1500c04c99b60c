/** The second stage of a move from LoopBack: the new form of a folder. */
export { modernize, type Modernization, type ModernizeOptions } from './modernize.js'
