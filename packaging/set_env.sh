# SPDX-License-Identifier: Apache-2.0
# Sets up a shell to build and run programs with the libraries of this folder.
# usage: . /path/to/set_env.sh     (sh, bash, zsh; the folder may be moved)

# bash and zsh tell where the sourced file lies. A plain POSIX shell does not, but it holds the file
# open while reading it.
_anyacl_find_script() {
  if [ -n "${BASH_VERSION:-}" ]; then
    eval '_anyacl_script=${BASH_SOURCE[0]}'
    return
  fi
  if [ -n "${ZSH_VERSION:-}" ]; then
    eval '_anyacl_script=${funcfiletrace[1]%:*}'
    return
  fi
  _anyacl_script=
  # A subshell keeps its parent's $$; the first field of /proc/self/stat is the reader's own number.
  read -r _anyacl_pid _anyacl_rest </proc/self/stat
  for _anyacl_fd in /proc/"$_anyacl_pid"/fd/*; do
    case $(readlink "$_anyacl_fd") in
      */set_env.sh) _anyacl_script=$(readlink "$_anyacl_fd") ;;
    esac
  done
}

# _anyacl_prepend NAME FOLDER: puts the folder at the front of a list variable, once.
_anyacl_prepend() {
  eval "_anyacl_list=\${$1:-}"
  case ":$_anyacl_list:" in
    *":$2:"*) ;;
    *) eval "export $1=\"\$2\${_anyacl_list:+:\$_anyacl_list}\"" ;;
  esac
}

_anyacl_find_script
_anyacl_prefix=
if [ -n "$_anyacl_script" ]; then
  _anyacl_prefix=$(dirname -- "$(readlink -f -- "$_anyacl_script")")
fi

if [ ! -e "$_anyacl_prefix/lib64/libascendcl.so" ]; then
  echo "set_env.sh: cannot tell which folder it lies in; source it from bash" >&2
  return 1
fi

export ASCEND_HOME_PATH="$_anyacl_prefix"
export ASCEND_TOOLKIT_HOME="$_anyacl_prefix"
export ASCEND_OPP_PATH="$_anyacl_prefix/opp"
export ASCEND_AICPU_PATH="$_anyacl_prefix"
export TOOLCHAIN_HOME="$_anyacl_prefix"
export ATB_HOME_PATH="$_anyacl_prefix/atb/cxx_abi_1"
_anyacl_prepend LD_LIBRARY_PATH "$_anyacl_prefix/lib64"
_anyacl_prepend PATH "$_anyacl_prefix/bin"
_anyacl_prepend PYTHONPATH "$_anyacl_prefix/python/site-packages"
_anyacl_prepend CMAKE_PREFIX_PATH "$_anyacl_prefix"
_anyacl_prepend PKG_CONFIG_PATH "$_anyacl_prefix/lib64/pkgconfig"

unset -f _anyacl_find_script _anyacl_prepend
unset _anyacl_script _anyacl_prefix _anyacl_list _anyacl_pid _anyacl_rest _anyacl_fd
