// Runs the planted strong test.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/proofs/mutants/planted/strong.ts'],
    isolate: false,
    reporters: [{}],
    setupFiles: ['test/proofs/mutants/setup.ts'],
  },
})
