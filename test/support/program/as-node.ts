// Loaded before a program, to make it believe that it runs in a version of Node.js that can load its source.
import process from "node:process";

Object.defineProperty(process, "versions", { value: { node: "24.0.0" } });
