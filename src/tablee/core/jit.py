"""The compiler of kernels: Numba, but each function is translated once, and only what Python calls is compiled.

Numba makes machine code of every function, for each constant among its arguments again, and of its callees again inside
each caller. A kernel has a hundred functions, of which Python calls ten. Here a function that others call is kept as
code of LLVM (`Part`). A function that Python calls is all parts below it in one module, optimised together.

This module uses parts of Numba that are not its public interface, so `pyproject.toml` says for which versions.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from llvmlite import binding
from numba.core import compiler, config, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher, _FunctionCompiler
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack


@dataclass(eq=False, frozen=True, slots=True)
class Part:
    """A function that other compiled functions can call, for given types of arguments."""

    result: Any
    """What Numba's compiler returned: the signature, and how to call the code."""
    libraries: tuple[JITCodeLibrary, ...]
    """Its own code and that of everything below it."""


def is_public(function: Any) -> bool:
    """Whether a module of LLVM defines a function for others."""
    return not function.is_declaration and function.linkage == binding.Linkage.external


class PartLibrary(JITCodeLibrary):
    """The code of one function. It is linked into programs and never becomes machine code by itself."""

    def add_llvm_module(self, ll_module: Any) -> None:
        # Numba optimises each function here. The program does so with all of them.
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        for function in self._final_module.functions:
            if is_public(function):
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True


class ProgramLibrary(JITCodeLibrary):
    """The machine code of a function that Python calls, with everything below it."""

    _shared_module: Any

    def _optimize_final_module(self) -> None:
        if any(".numba.unresolved" in one.name for one in self._final_module.global_variables):
            raise NotImplementedError(f"{self.name} or a function below it calls another one that calls it")
        # Nobody else calls the parts of a program, so the optimiser may inline, change or drop them.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """Return what the cache keeps beside the machine code: only names, because nothing is linked with a program."""
        if self._shared_module is None:
            names = [f.name for f in self._final_module.functions if is_public(f)]
            lines = [f'define void @"{name}"() {{ ret void }}' for name in names]
            self._shared_module = binding.parse_assembly("\n".join(lines))
        return self._shared_module


class Flags(compiler.Flags):
    """Numba's flags, compared quickly: it does so for every call that it resolves."""

    def __hash__(self) -> int:
        return hash(Flags)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Flags) and self._values == other._values
        return same or bool(super().__eq__(other))


class Translator(_FunctionCompiler):
    """Compiles one function, for the types of arguments with which it is called."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        plain = dispatcher._compiler
        super().__init__(plain.py_func, plain.targetdescr, plain.targetoptions, plain.locals, plain.pipeline_class)
        self.parts: dict[tuple[Any, ...], Part] = {}

    def fold_argument_types(self, args: Sequence[Any], kws: Any) -> Any:
        """Return the signature and the types of all arguments.

        A constant gets the type of any other number, or Numba would translate the function for each constant again.
        """
        signature, folded = super().fold_argument_types(args, kws)
        return signature, tuple(map(types.unliteral, folded))

    def part(self, args: tuple[Any, ...]) -> Part:
        """Return the function as part of others, and translate it if that is not done yet."""
        if args not in self.parts:
            flags = self.flags()
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            described = self.targetdescr
            context = described.target_context
            library = PartLibrary(context.codegen(), self.py_func.__qualname__)
            result = compiler.compile_extra(
                described.typing_context,
                context,
                self.py_func,
                args=args,
                return_type=None,
                flags=flags,
                locals=self.locals,
                library=library,
                pipeline_class=self.pipeline_class,
            )
            part = Part(result, tuple(dict.fromkeys([library, *library._linking_libraries])))
            context.insert_user_function(part, result.fndesc, part.libraries)
            self.parts[args] = part
        return self.parts[args]

    def flags(self) -> Flags:
        """Return the options of the function as Numba reads them."""
        flags = Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        return flags

    def _compile_core(self, args: tuple[Any, ...], return_type: Any) -> Any:
        """Compile the function for Python: all parts from it on down, and the code that reads Python's arguments."""
        with collecting_later():
            part = self.part(args)
            result, flags, context = part.result, self.flags(), self.targetdescr.target_context
            program = ProgramLibrary(context.codegen(), self.py_func.__qualname__)
            program.enable_object_caching()
            for library in part.libraries:
                program.add_linking_library(library)
            call = (program, result.fndesc, result.environment)
            with ConfigStack().enter(flags), context.push_code_library(program):
                inner = context.subtarget(environment=result.environment, fndesc=result.fndesc)
                inner.create_cpython_wrapper(*call, result.call_helper, release_gil=flags.release_gil)
            run = context.get_executable(*call)
            return result._replace(entry_point=run, library=program, reload_init=list(program._reload_init))


@contextmanager
def collecting_later() -> Iterator[None]:
    """Pause the garbage collector, which takes a twentieth of the time while the compiler makes millions of objects."""
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()


class KernelFunction(CPUDispatcher):
    """A function of a kernel, which Python and other functions of kernels call."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._compiler = Translator(self)

    @global_compiler_lock
    def get_call_template(self, args: Sequence[Any], kws: Any) -> Any:
        """Return how other compiled functions call this one."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        with self._compiling_counter:
            self._compiler.part(folded)
        name = self.py_func.__name__
        signatures = [part.result.signature for part in self._compiler.parts.values()]
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=signatures)
        return template, signature, folded, {}

    def get_overload(self, sig: Any) -> Part:
        """Return the key under which Numba finds the part to call."""
        return self._compiler.parts[tuple(sig)]


def kernel_function(function: Callable[..., Any], cache: bool = True, **options: Any) -> Any:
    """Compile a function when it is first called; `options` are those of `numba.njit`."""
    if config.DISABLE_JIT:
        return function
    made = KernelFunction(function, targetoptions={"nopython": True, "boundscheck": None, "nogil": True, **options})
    if cache:
        made.enable_caching()
    return made
