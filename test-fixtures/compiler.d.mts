import type { CompilerOptions } from 'typescript'

export interface CompileHow {
  /** Whether JavaScript is written. Default: false. */
  readonly emit?: boolean
  /**
   * A folder whose files alone are checked and written. Default: all files of the program, those of the packages with
   * them where `skipLibCheck` is off.
   */
  readonly own?: string | undefined
}

/** Compiles files, in this process. @returns what is wrong, `file.ts: message` each */
export declare function compileFiles (files: readonly string[], options: CompilerOptions, how?: CompileHow): string[]
