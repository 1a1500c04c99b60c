/** Small letters that stand for others when case does not count: databases leave them, `foldCase` of core does not. */
export const oddLetters: ReadonlyArray<readonly [letter: string, folded: string]> = [
  ['ς', 'σ'], ['µ', 'μ'], ['ſ', 's'], ['ϐ', 'β'], ['ϑ', 'θ'], ['ϕ', 'φ'], ['ϖ', 'π'], ['ϰ', 'κ'], ['ϱ', 'ρ'], ['ϵ', 'ε'],
  ['ẛ', 'ṡ'], ['\u1fbe', 'ι']
]
